import type { ExchangePart, ShownExchange } from "../../../sandbox/control/objects.ts";
import { sandbox } from "../asking/api.ts";
import { useAsked } from "../live/use-asked.ts";
import { CopyButton } from "./copy-button.tsx";
import { Shown } from "./states.tsx";
import { duration } from "./time.tsx";

/** An HTTP exchange as it was sent: headers, bodies, and what was signed. */
export function Exchange({ seq }: { seq: number }) {
  const asked = useAsked(
    (signal) => sandbox.get<ShownExchange>(`/exchanges/${seq}`, signal),
    [seq],
  );
  return (
    <Shown asked={asked}>
      {(exchange) => {
        const { method, url, status, ms, request, response, signature } = exchange;
        return (
          <div class="exchange">
            <p class="mono">
              {method} {url} → {status === 0 ? "no answer" : status}, {duration(ms)}
            </p>
            {Object.keys(request.headers).length === 0 && request.body === "" ? (
              <p class="soft">Nothing was sent: a fault kept it back.</p>
            ) : (
              <>
                <pre tabIndex={0}>{textOf(request)}</pre>
                <p>Answered:</p>
                <pre tabIndex={0}>{textOf(response)}</pre>
              </>
            )}
            {signature !== undefined && (
              <details>
                <summary>What was signed</summary>
                <pre tabIndex={0}>{signature.base}</pre>
                <p class="soft">
                  Signed with <code>{signature.key}</code>, given: <code>{signature.given}</code>
                </p>
              </details>
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

function textOf({ headers, body, note }: ExchangePart): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const content = note ?? indented(body);
  return content === "" ? lines.join("\n") : `${lines.join("\n")}\n\n${content}`;
}

function indented(body: string): string {
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
