import type {
  ExchangePart,
  ExchangeSignature,
  ShownExchange,
} from "../../../sandbox/control/objects.ts";
import { useSandbox } from "../asking/use-asked.ts";
import { Chip } from "./chip.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Shown } from "./states.tsx";
import { duration } from "./duration.ts";

interface ExchangeProps {
  readonly seq: number;
  /** What was signed is what one looks for. */
  readonly showsSignature?: boolean;
}

const SIGNED = {
  request: "",
  delivery: ": the body",
  challenge: ": the query",
  stream: "",
} as const;

/** An HTTP exchange as it was sent: headers, bodies, and what was signed. */
export function Exchange({ seq, showsSignature = false }: ExchangeProps) {
  const asked = useSandbox<ShownExchange>(`/exchanges/${seq}`);
  return (
    <Shown asked={asked}>
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
              <p class="soft">Nothing was sent: a fault kept it back.</p>
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
  const { kind, base, key, given, note } = signature;
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
        Signed with <code>{key}</code>, given: <code>{given}</code>
      </p>
    </>
  );
}

interface MatchingProps {
  readonly signature: ExchangeSignature;
  readonly status: number;
}

/** Whether the signature is right, where it can be told afterwards: tokens that were used up are not there to compare with. */
function Matching({ signature: { kind, matches }, status }: MatchingProps) {
  if (matches !== undefined) {
    return <Chip tone={matches ? "good" : "bad"}>{matches ? "matches" : "does not match"}</Chip>;
  }
  if (kind !== "oauth1" || status !== 200) return null;
  return <Chip tone="good">the platform took it</Chip>;
}

/** The parameters in a base string of OAuth 1.0a, each in a row. */
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function textOf({ headers, body, note }: ExchangePart): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const content = note ?? indented(body);
  return content === "" ? lines.join("\n") : `${lines.join("\n")}\n\n${content}`;
}

/** JSON on several lines; any other text unchanged. */
export function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Secrets in headers are cut: who sends it puts their own there. */
function curlOf({ method, url, request: { headers, body } }: ShownExchange): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const given = Object.entries(headers)
    .filter(([name]) => !/^(host|content-length|connection)$/i.test(name))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const data = body === "" ? [] : ["--data-raw", quoted(body)];
  return ["curl", "-X", method, ...given, ...data, quoted(url)].join(" ");
}
