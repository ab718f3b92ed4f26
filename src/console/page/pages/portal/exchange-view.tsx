import type {
  ExchangePart,
  ExchangeSignature,
  ShownExchange,
} from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { useAsked } from "../../live/use-asked.ts";
import { Chip } from "../../parts/chip.tsx";
import { Shown } from "../../parts/states.tsx";

/** One exchange with the platform: what was signed, and what went both ways. */
export function ExchangeView({ seq }: { readonly seq: number }) {
  const asked = useAsked(
    (signal) => sandbox.get<ShownExchange>(`/exchanges/${seq}`, signal),
    [seq],
  );
  return (
    <Shown asked={asked}>
      {({ method, url, status, ms, request, response, signature, direction }) => (
        <div class="portal-exchange">
          <p>
            <code>
              {method} {url}
            </code>{" "}
            <Chip tone={status >= 200 && status < 400 ? "good" : "bad"}>
              {status === 0 ? "no answer" : `status ${status}`}
            </Chip>{" "}
            <span class="soft">{Math.round(ms)} ms</span>
          </p>
          {signature !== undefined && (
            <>
              <h3>
                Signature <Matching signature={signature} status={status} />
              </h3>
              {signature.note !== undefined && <p class="soft">{signature.note}</p>}
              {signature.base !== undefined && (
                <>
                  {signature.kind === "oauth1" && <SignedParameters base={signature.base} />}
                  <p class="soft">
                    {signature.kind === "oauth1"
                      ? "Signature base string"
                      : direction === "challenge"
                        ? "What was signed: the query"
                        : "What was signed: the body"}
                    , with the key {signature.key}
                  </p>
                  <pre tabIndex={0}>{signature.base}</pre>
                </>
              )}
              <p class="mono portal-signature">{signature.given}</p>
            </>
          )}
          <Side title="Request" part={request} />
          <Side title="Response" part={response} />
        </div>
      )}
    </Shown>
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

function Side({ title, part }: { readonly title: string; readonly part: ExchangePart }) {
  const { headers, body, note } = part;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <details>
      <summary>{title}</summary>
      <pre tabIndex={0}>{[...lines, "", body].join("\n").trim()}</pre>
      {note !== undefined && <p class="soft">{note}</p>}
    </details>
  );
}
