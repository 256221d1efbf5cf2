"""An adapter for a simple reader of transcripts: it judges a text by how it starts.

Run it with: conform run -- python3 conformance/adapters/python/classify.py
"""
import json
import sys

CONTEXT = {  # what many readers do; it is wrong in both directions, which is what the suite shows
    "<environment_context>": "environment_context",
    "# AGENTS.md instructions": "agents_md",
    "<turn_aborted>": "turn_aborted",
    "<user_shell_command>": "user_shell_command",
    "<skill>": "skill",
}


def classify(role, text):
    kind = next((kind for tag, kind in CONTEXT.items() if text.strip().startswith(tag)), None)
    return {"contextual": role == "user" and kind is not None, "kind": kind if role == "user" else None}


def answer(method, params):
    if method == "initialize":
        return {"result": {"protocol_version": "1", "profiles": ["context-fragments/2026-08"],
                           "implementation": {"name": "start-of-text", "version": "1.0", "language": "Python"},
                           "methods": ["fragment/classify"]}}
    if method != "fragment/classify":
        return {"error": {"code": -32601, "message": "unknown method"}}
    for name in ("role", "text"):
        if not isinstance(params.get(name), str):
            data = {"path": "/" + name, "reason": "want a string"}
            return {"error": {"code": -32602, "message": "invalid params", "data": data}}
    return {"result": classify(params["role"], params["text"])}


for line in sys.stdin.buffer:
    request = json.loads(line)
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer(request["method"], request["params"])}), flush=True)
