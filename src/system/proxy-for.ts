import { Agent, Pool, ProxyAgent } from "undici";
import { canonicalAddress, networkOf } from "./global-unicast.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the URL of the proxy for requests to `url`, from the environment variables `HTTPS_PROXY`, `HTTP_PROXY` and
 * `NO_PROXY`, or their names in small letters, which take precedence; `undefined` if the request needs no proxy.
 *
 * Requests to this machine never use a proxy, so a sandbox works everywhere. An entry of `NO_PROXY` is a name, which
 * includes its subdomains, an address, a network such as `10.0.0.0/8`, or `*`; a name or an address may have a port.
 *
 * @throws {Error} if the variable is not the URL of an HTTP proxy.
 */
export function proxyFor(url: URL, environment: Environment = process.env): URL | undefined {
  const variable = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const written = valueOf(environment, variable);
  if (written === "") return undefined;
  const name = url.hostname.replaceAll(/^\[|\]$|\.$/g, "");
  const host = canonicalAddress(name) ?? name;
  if (/^(localhost|127\..*|0:0:0:0:0:0:0:1)$/.test(host)) return undefined;
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const entries = valueOf(environment, "NO_PROXY")
    .toLowerCase()
    .split(/[,\s]+/);
  if (entries.some((entry) => exempts(entry, host, port))) return undefined;
  const proxy = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `http://${written}`);
  if (proxy !== null && /^https?:$/.test(proxy.protocol)) return proxy;
  throw new Error(`${variable} is not the URL of an HTTP proxy: write  http://HOST:PORT`);
}

/** Creates connections that use the proxy of the environment where it names one; see {@link proxyFor}. */
export function connections(options: Pick<Agent.Options, "connections"> = {}): Agent {
  return new Agent({
    ...options,
    factory(origin, poolOptions) {
      const proxy = proxyFor(new URL(origin));
      return proxy === undefined ? new Pool(origin, poolOptions) : throughProxy(proxy, options);
    },
  });
}

/** Time limit in milliseconds for the response of a proxy to CONNECT. The default of undici is 5 minutes. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Creates connections through a proxy. */
export function throughProxy(
  proxy: URL,
  options: Pick<Agent.Options, "connections"> = {},
): ProxyAgent {
  return new ProxyAgent({
    ...options,
    uri: proxy.href,
    // Proxies often refuse to open tunnels to other ports than 443.
    proxyTunnel: false,
    clientFactory: (origin, clientOptions) =>
      new Pool(origin, { ...clientOptions, headersTimeout: CONNECT_TIMEOUT_MS }),
  });
}

function valueOf(environment: Environment, variable: string): string {
  return (environment[variable.toLowerCase()] ?? environment[variable] ?? "").trim();
}

function exempts(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (networkOf(entry)?.contains(host) === true) return true;
  const { 1: named = entry, 2: onlyPort = port } = /^([^:]+|\[.*\]):(\d+)$/.exec(entry) ?? [];
  const name = named.replaceAll(/^\[|\]$|^\*?\.|\.$/g, "");
  if (name === "" || onlyPort !== port) return false;
  return host === (canonicalAddress(name) ?? name) || host.endsWith(`.${name}`);
}
