"""Holding answers against the served OpenAPI document, with a validator that is not ours."""

from __future__ import annotations

from typing import Any

import httpx
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012


class Schemas:
    """The document, as what each answer must be."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        resource = Resource.from_contents(document, default_specification=DRAFT202012)
        self._registry = Registry().with_resource("openapi", resource)

    def check(self, method: str, path: str, response: httpx.Response) -> None:
        """The operation says this status, this media type and this body."""
        said = self.document["paths"][path][method.lower()]["responses"]
        assert str(response.status_code) in said, (method, path, response.status_code)
        content = said[str(response.status_code)]["content"]
        media_type = response.headers["content-type"]
        assert media_type in content, (method, path, media_type)
        self.validate(content[media_type]["schema"], response.json())

    def validate(self, schema: dict[str, Any], instance: Any) -> None:
        here = {"$ref": "openapi" + schema["$ref"]} if "$ref" in schema else schema
        Draft202012Validator(here, registry=self._registry).validate(instance)
