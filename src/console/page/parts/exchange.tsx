import type {
  ExchangePart,
  ExchangeSignature,
  ShownExchange,
} from "../../../sandbox/control/objects.ts";
import { useSandbox } from "../asking/use-asked.ts";
import { decoded } from "../routing/decoded.ts";
import { Chip } from "./chip.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Shown } from "./states.tsx";
import { duration } from "./duration.ts";

interface ExchangeProps {
  readonly seq: number;
  /** Whether the section about the signature is open at first. */
  readonly showsSignature?: boolean;
}

const SIGNED = {
  request: "",
  delivery: ": the body",
  challenge: ": the query",
  stream: "",
} as const;

/** Shows an HTTP exchange: headers, bodies, and the text that was signed. */
export function Exchange({ seq, showsSignature = false }: ExchangeProps) {
  const exchangeAnswer = useSandbox<ShownExchange>(`/exchanges/${seq}`);
  return (
    <Shown answer={exchangeAnswer}>
      {(exchange) => {
        const { method, url, status, ms, request, response, signature, direction } = exchange;
        return (
          <div class="exchange">
            <p class="mono">
              {method} {url}{" "}
              <Chip tone={status >= 200 && status < 400 ? "good" : "bad"}>
                {status === 0 ? "no answer" : status}
              </Chip>{" "}
              {duration(ms)}
            </p>
            {signature !== undefined && (
              <details open={showsSignature}>
                <summary>
                  <span>What was signed{SIGNED[direction]}</span>{" "}
                  <Matching signature={signature} status={status} />
                </summary>
                <Signature signature={signature} />
              </details>
            )}
            {Object.keys(request.headers).length === 0 && request.body === "" ? (
              <p class="soft">Nothing was sent: a fault prevented it.</p>
            ) : (
              <>
                <pre tabIndex={0}>{textOf(request)}</pre>
                <p>Answered:</p>
                <pre tabIndex={0}>{textOf(response)}</pre>
              </>
            )}
            <div class="row">
              <CopyButton label="Copy the body" text={request.body} />
              <CopyButton label="Copy as curl" text={() => curlOf(exchange)} />
            </div>
          </div>
        );
      }}
    </Shown>
  );
}

function Signature({ signature }: { readonly signature: ExchangeSignature }) {
  const { kind, base, key, given: givenSignature, note } = signature;
  return (
    <>
      {note !== undefined && <p class="soft">{note}</p>}
      {base !== undefined && (
        <>
          {kind === "oauth1" && <SignedParameters base={base} />}
          <pre tabIndex={0}>{base}</pre>
        </>
      )}
      <p class="soft">
        Signed with <code>{key}</code>, given: <code>{givenSignature}</code>
      </p>
    </>
  );
}

interface MatchingProps {
  readonly signature: ExchangeSignature;
  readonly status: number;
}

/**
 * Shows whether the signature is valid. The sandbox can't check it if it no longer stores the token: a request token is
 * deleted after its use.
 */
function Matching({ signature: { kind, matches }, status }: MatchingProps) {
  if (matches !== undefined) {
    return <Chip tone={matches ? "good" : "bad"}>{matches ? "matches" : "does not match"}</Chip>;
  }
  if (kind !== "oauth1" || status !== 200) return null;
  return <Chip tone="good">the platform accepted it</Chip>;
}

/** Shows the parameters in an OAuth 1.0a signature base string, one in a row. */
function SignedParameters({ base }: { readonly base: string }) {
  const [, , encoded = ""] = base.split("&");
  const rows = decoded(encoded)
    .split("&")
    .map((pair) => pair.split("="));
  return (
    <details>
      <summary>{rows.length} signed parameters</summary>
      <dl class="facts">
        {rows.map(([name = "", value = ""]) => (
          <>
            <dt class="mono">{decoded(name)}</dt>
            <dd class="mono">{decoded(value)}</dd>
          </>
        ))}
      </dl>
    </details>
  );
}

function textOf({ headers, body, note }: ExchangePart): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const content = note ?? indented(body);
  return content === "" ? lines.join("\n") : `${lines.join("\n")}\n\n${content}`;
}

/** Indents JSON; returns any other text unchanged. */
export function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Returns the request as a curl command. Secrets in headers are removed; users insert their own. */
function curlOf({ method, url, request: { headers, body } }: ShownExchange): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const headerArguments = Object.entries(headers)
    .filter(([name]) => !/^(host|content-length|connection)$/i.test(name))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const data = body === "" ? [] : ["--data-raw", quoted(body)];
  return ["curl", "-X", method, ...headerArguments, ...data, quoted(url)].join(" ");
}
