"""The Hub as OpenID provider, so that signing in goes its real way: authorize page, code, tokens, keys."""

import base64
import hashlib
import json
import math
import secrets
import time
from dataclasses import dataclass
from functools import cache
from html import escape
from typing import Any
from urllib.parse import parse_qs, urlencode

from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from tests.hub.catalog import identity
from tests.hub.protocol import Call, Refusal, route
from tests.hub.store import User

SCOPES = ("openid", "profile", "email", "read-repos", "contribute-repos", "write-repos", "manage-repos")
HOURS = 8  # how long a token lives


@dataclass(frozen=True)
class Key:
    """An RSA key that signs with SHA-256 (RS256)."""

    modulus: int
    private: int
    public: int = 65537

    def sign(self, message: bytes) -> bytes:
        kind = bytes.fromhex("3031300d060960864801650304020105000420")  # "what follows is a SHA-256 digest"
        size = (self.modulus.bit_length() + 7) // 8
        digest = kind + hashlib.sha256(message).digest()
        padded = b"\0\1" + b"\xff" * (size - len(digest) - 3) + b"\0" + digest
        return pow(int.from_bytes(padded), self.private, self.modulus).to_bytes(size)

    def published(self) -> dict[str, str]:
        """As a JSON web key."""
        modulus, public = (
            encoded(number.to_bytes((number.bit_length() + 7) // 8)) for number in (self.modulus, self.public)
        )
        return {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "of-the-tests", "n": modulus, "e": public}


@cache
def key() -> Key:
    """One for this process; made when it is first needed, which takes a moment."""
    p, q = prime(1024), prime(1024)
    return Key(p * q, pow(65537, -1, math.lcm(p - 1, q - 1)))


def prime(bits: int) -> int:
    """A random number that is, for all that chance allows, a prime, and fits the public exponent."""
    small = math.prod(n for n in range(3, 2000, 2) if all(n % d for d in range(3, math.isqrt(n) + 1, 2)))
    while True:
        number = secrets.randbits(bits) | 3 << (bits - 2) | 1
        if math.gcd(number, small) == 1 and number % 65537 != 1 and pow(2, number - 1, number) == 1:
            return number


def encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def signed(claims: dict[str, Any]) -> str:
    """A JSON web token."""
    head = {"alg": "RS256", "typ": "JWT", "kid": key().published()["kid"]}
    text = ".".join(encoded(json.dumps(part).encode()) for part in (head, claims))
    return f"{text}.{encoded(key().sign(text.encode()))}"


def form(call: Call) -> dict[str, str]:
    return {name: values[-1] for name, values in parse_qs(call.body.decode()).items()}


@route("GET", "/.well-known/openid-configuration")
def configuration(call: Call) -> Response:
    return JSONResponse(
        {
            "issuer": call.base,
            "authorization_endpoint": f"{call.base}/oauth/authorize",
            "token_endpoint": f"{call.base}/oauth/token",
            "userinfo_endpoint": f"{call.base}/oauth/userinfo",
            "jwks_uri": f"{call.base}/oauth/jwks",
            "scopes_supported": SCOPES,
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
            "code_challenge_methods_supported": ["S256"],
        }
    )


@route("GET", "/oauth/jwks")
def keys(call: Call) -> Response:
    return JSONResponse({"keys": [key().published()]})


@route("GET", "/oauth/authorize")
def ask(call: Call) -> Response:
    """Asks whoever sits at the browser; never inside the frame of another site."""
    asked = {name: values[-1] for name, values in call.query.items()}
    app = call.store.apps.get(asked.get("client_id", ""))
    if not app or asked.get("redirect_uri") not in app.redirects:
        raise Refusal(400, "Unknown app, or an address that it did not register")
    scopes = asked.get("scope", "").split()
    if not {*scopes} <= app.scopes:
        return back(asked, error="invalid_scope")
    user = call.store.users[call.store.browsing]
    hidden = "".join(f'<input type="hidden" name="{escape(n)}" value="{escape(v)}">' for n, v in asked.items())
    listed = "".join(f"<li>{escape(scope)}</li>" for scope in scopes)
    page = f"""<!doctype html><title>Authorize {escape(app.name)}</title>
<h1>Authorize {escape(app.name)}</h1><p>Signed in as {escape(user.name)}. The app asks for:</p><ul>{listed}</ul>
<form method="post">{hidden}<button name="answer" value="yes">Authorize</button>
<button name="answer" value="no">Cancel</button></form>"""
    return HTMLResponse(page, headers={"X-Frame-Options": "DENY"})


@route("POST", "/oauth/authorize")
def decide(call: Call) -> Response:
    """Sends back with a code, or with the refusal."""
    asked = form(call)
    app = call.store.apps[asked["client_id"]]
    if asked["redirect_uri"] not in app.redirects:
        raise Refusal(400, "An address that the app did not register")
    if asked.get("answer") != "yes":
        return back(asked, error="access_denied")
    code = secrets.token_urlsafe(24)
    call.store.codes[code] = asked | {"user": call.store.browsing}
    return back(asked, code=code)


def back(asked: dict[str, str], **parameters: str) -> Response:
    if "state" in asked:
        parameters["state"] = asked["state"]
    return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(parameters)}", 303)


def refused(error: str, status: int = 400) -> Response:
    return JSONResponse({"error": error}, status)


@route("POST", "/oauth/token")
def exchange(call: Call) -> Response:
    """An access token and an id token for a code, once."""
    fields = form(call)
    client, secret = fields.get("client_id", ""), fields.get("client_secret", "")
    scheme, _, value = call.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "basic":
        client, _, secret = base64.b64decode(value).decode().partition(":")
    app = call.store.apps.get(client)
    if not app or secret != app.secret:
        return refused("invalid_client", 401)
    asked = call.store.codes.pop(fields.get("code", ""), None)
    if not asked or asked["client_id"] != client or asked["redirect_uri"] != fields.get("redirect_uri"):
        return refused("invalid_grant")
    if challenge := asked.get("code_challenge"):
        verifier = hashlib.sha256(fields.get("code_verifier", "").encode()).digest()
        if encoded(verifier) != challenge:
            return refused("invalid_grant")
    user, scopes = call.store.users[asked["user"]], asked.get("scope", "").split()
    lasts = HOURS * 3600
    token = call.store.add_token(user.name, "oauth", name=app.name, scopes=scopes, lasts=lasts)
    now = int(time.time())
    claims = {"iss": call.base, "aud": client, "iat": now, "exp": now + lasts, "auth_time": now} | person(call, user)
    if "nonce" in asked:
        claims["nonce"] = asked["nonce"]
    granted: dict[str, Any] = {"access_token": token.value, "token_type": "bearer", "expires_in": lasts}
    granted["scope"] = " ".join(scopes)
    if "openid" in scopes:
        granted["id_token"] = signed(claims)
    return JSONResponse(granted, headers={"Cache-Control": "no-store"})


def person(call: Call, user: User) -> dict[str, Any]:
    """What the provider tells of a person."""
    return {
        "sub": identity(user.name),
        "name": user.full_name,
        "preferred_username": user.name,
        "profile": f"{call.base}/{user.name}",
        "picture": f"{call.base}/avatars/plain.svg",
        "isPro": False,
        "orgs": [{"sub": identity(n), "preferred_username": n, "roleInOrg": role} for n, role in user.orgs.items()],
    }


@route("GET|POST", "/oauth/userinfo")
def userinfo(call: Call) -> Response:
    return JSONResponse(person(call, call.store.users[call.signed_in.user]))
