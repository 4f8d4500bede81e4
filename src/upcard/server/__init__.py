"""The house over HTTP: sessions, wire forms and streams; no rule, no money arithmetic."""
