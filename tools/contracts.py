"""An import contract that import-linter lacks: these modules need no third-party package."""

from __future__ import annotations

import sys
from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class OnlyStandardLibrary(Contract):
    """`modules`, and all inside them, import the standard library and their own package alone.

    A `forbidden` contract would have to name every package there is.
    """

    modules = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        listed: list[Any] = list(self.modules)  # type: ignore[call-overload]  # set by the base
        missing = [module for module in listed if module not in graph.modules]
        if missing:
            raise ValueError(f"no such modules: {', '.join(missing)}")
        importers = [m for top in listed for m in (top, *sorted(graph.find_descendants(top)))]
        strangers = [
            f"{importer} imports {imported}"
            for importer in importers
            for imported in sorted(graph.find_modules_directly_imported_by(importer))
            if imported.split(".")[0] not in sys.stdlib_module_names | {importer.split(".")[0]}
        ]
        return ContractCheck(kept=not strangers, metadata={"strangers": strangers})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for stranger in check.metadata["strangers"]:
            output.print_error(stranger, bold=False)
