import type { ExchangeHead } from "../../../../../sandbox/control/objects.ts";
import { sandbox } from "../../../asking/api.ts";
import { useAsked } from "../../../asking/use-asked.ts";
import { ExchangeDetails } from "../exchange-details.tsx";

/** State of one of the three OAuth 1.0a steps: request token, consent, access token. */
export type LegState = "waiting" | "now" | "done" | "failed";

const LEGS = [
  { title: "Request token", does: "The app asks for a request token and names its callback URL." },
  { title: "Consent", does: "The person signs in at the platform and approves the app." },
  { title: "Access token", does: "The app exchanges token and verifier for the access token." },
] as const;

const SIGNS: Readonly<Record<LegState, string>> = {
  waiting: "M-4 0h8",
  now: "M-3-5L4 0L-3 5",
  done: "M-5 0l3.5 4L6-5",
  failed: "M-5-5l10 10M5-5l-10 10",
};

const WORDS: Readonly<Record<LegState, string>> = {
  waiting: "not yet",
  now: "now",
  done: "done",
  failed: "failed",
};

interface LadderProps {
  readonly states: readonly [LegState, LegState, LegState];
  readonly requestToken: string | undefined;
  readonly verifier: string | undefined;
}

/** Shows the three OAuth 1.0a steps of a log-in, each with its HTTP exchanges. */
export function Ladder({ states, requestToken, verifier }: LadderProps) {
  const exchanges = useAsked(
    async (signal) => {
      const about = async (text: string | undefined): Promise<readonly ExchangeHead[]> => {
        if (text === undefined) return [];
        const query = new URLSearchParams({ about: text });
        return (
          await sandbox.get<{ exchanges: readonly ExchangeHead[] }>(`/exchanges?${query}`, signal)
        ).exchanges;
      };
      const both = [...(await about(requestToken)), ...(await about(verifier))];
      return [...new Map(both.map((one) => [one.seq, one])).values()].toSorted(
        (a, b) => a.seq - b.seq,
      );
    },
    [requestToken, verifier, states],
  );
  const ofLeg = (leg: number): readonly ExchangeHead[] =>
    (exchanges.value ?? []).filter(({ url }) => legOf(url) === leg);
  return (
    <ol class="portal-ladder">
      {LEGS.map(({ title, does }, leg) => {
        const state = states[leg] ?? "waiting";
        return (
          <li key={title} class={state}>
            <Rung leg={leg} state={state} />
            <div>
              <h3>
                {leg + 1}. {title} <span class="soft">{WORDS[state]}</span>
              </h3>
              <p>{does}</p>
              {ofLeg(leg).map(({ seq, method, url, status }) => (
                <ExchangeDetails key={seq} seq={seq}>
                  <code>
                    {method} {url.split("?")[0]}
                  </code>{" "}
                  {status}
                </ExchangeDetails>
              ))}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function legOf(url: string): number | undefined {
  if (url.startsWith("/oauth/request_token")) return 0;
  if (/^\/oauth\/auth(orize|enticate)/.test(url)) return 1;
  return url.startsWith("/oauth/access_token") ? 2 : undefined;
}

/** Draws one step of the log-in: a request from `from` to `to` and the response, with a tick when done. */
function Rung({ leg, state }: { readonly leg: number; readonly state: LegState }) {
  const [from, to] = leg === 1 ? ["person", "platform"] : ["app", "platform"];
  return (
    <svg viewBox="0 0 150 84" role="img" aria-label={`${from} and ${to}: ${WORDS[state]}`}>
      <text x="20" y="12">
        {from}
      </text>
      <text x="126" y="12">
        {to}
      </text>
      <path class="rail" d="M20 20V84M126 20V84" />
      <path class="way" d="M20 36H120m-6-5l6 5l-6 5M126 68H26m6-5l-6 5l6 5" />
      <circle cx="73" cy="52" r="13" />
      <path class="sign" d={SIGNS[state]} transform="translate(73 52)" />
    </svg>
  );
}
