"""A transport of requests that takes what is for the platform's hosts to the sandbox, as it was signed."""

from urllib.parse import urlsplit

from requests.adapters import HTTPAdapter


class Loopback(HTTPAdapter):
    def __init__(self, sandbox):
        super().__init__()
        self.sandbox = sandbox

    def send(self, request, **options):
        asked = urlsplit(request.url)
        request.headers["Host"] = asked.netloc
        path = request.url[len(f"{asked.scheme}://{asked.netloc}"):]
        request.url = self.sandbox + path
        return super().send(request, **options)


def lead(session, sandbox):
    """Has a session of requests reach the sandbox under the platform's names."""
    for host in ("api", "upload"):
        session.mount(f"https://{host}.twitter.com", Loopback(sandbox))
    return session
