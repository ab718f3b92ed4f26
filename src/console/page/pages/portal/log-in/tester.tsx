import { useEffect, useState } from "preact/hooks";
import type { App } from "../../../../../sandbox/control/objects.ts";
import type { LogInBegun } from "../../../../operations/log-in-tester.ts";
import { command, sandbox } from "../../../asking/api.ts";
import { notify } from "../../../parts/toasts.tsx";
import type { AppPartProps } from "../portal-parts.ts";
import { Ladder, type LegState } from "./ladder.tsx";
import { followNews, type LogInNews } from "./news.ts";
import { Outcome } from "./outcome.tsx";

interface TesterProps extends AppPartProps {
  /** Whether the console's server knows the app's secret, so that it can sign the requests of the log-in. */
  readonly knowsSecret: boolean;
}

/** Performs an OAuth 1.0a log-in of a person with the app, step by step. */
export function Tester({ app, mayChange, onChanged, knowsSecret }: TesterProps) {
  const callback = `${location.origin}/portal/callback`;
  const isAllowed = app.callback_urls.includes(callback);
  const [keys, setKeys] = useState({ consumerKey: "", consumerSecret: "" });
  const [begun, setBegun] = useState<LogInBegun>();
  const [refused, setRefused] = useState(false);
  const [news, setNews] = useState<LogInNews>();
  useEffect(
    () => followNews((latest) => latest.requestToken === begun?.requestToken && setNews(latest)),
    [begun],
  );
  const begin = async (): Promise<void> => {
    setNews(undefined);
    const begunLogIn = await notify(
      command("beginLogIn", { appId: app.app_id, callback, ...(!knowsSecret && { keys }) }),
    );
    setBegun(begunLogIn);
    setRefused(begunLogIn === undefined);
  };
  const allow = async (): Promise<void> => {
    const callback_urls = [...app.callback_urls, callback];
    await notify(sandbox.patch<App>(`/apps/${app.app_id}`, { callback_urls }), () => "Added.");
    onChanged();
  };
  return (
    <>
      {!isAllowed && (
        <p class="notice warn">
          The log-in leads back to <code>{callback}</code>, which is not among the app's callback
          URLs.{" "}
          <button type="button" disabled={!mayChange} onClick={() => void allow()}>
            Add it
          </button>
        </p>
      )}
      {!knowsSecret && <KeysAsked keys={keys} onChange={setKeys} />}
      <div class="row">
        <button
          type="button"
          class="go"
          disabled={!mayChange || !isAllowed || (!knowsSecret && keys.consumerSecret === "")}
          onClick={() => void begin()}
        >
          {begun === undefined ? "Start a log-in" : "Start again"}
        </button>
        {begun !== undefined && news === undefined && (
          <a href={begun.url} target="_blank" rel="noopener">
            Open the consent page in a new tab
          </a>
        )}
      </div>
      {news !== undefined && <Outcome news={news} />}
      <Ladder
        states={statesOf(begun, refused, news)}
        requestToken={begun?.requestToken}
        verifier={news?.verifier}
      />
    </>
  );
}

function statesOf(
  begun: LogInBegun | undefined,
  refused: boolean,
  news: LogInNews | undefined,
): readonly [LegState, LegState, LegState] {
  if (begun === undefined) return [refused ? "failed" : "now", "waiting", "waiting"];
  if (news === undefined) return ["done", "now", "waiting"];
  if (news.verifier === undefined) return ["done", "failed", "waiting"];
  return ["done", "done", news.done === undefined ? "failed" : "done"];
}

interface AskedKeys {
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

function KeysAsked({ keys, onChange }: { keys: AskedKeys; onChange: (keys: AskedKeys) => void }) {
  return (
    <div class="row">
      <p class="soft">
        The console does not know this app's secret: paste what was shown once, or regenerate it
        under Keys and tokens.
      </p>
      <label>
        API key{" "}
        <input
          value={keys.consumerKey}
          autoComplete="off"
          onInput={({ currentTarget }) => onChange({ ...keys, consumerKey: currentTarget.value })}
        />
      </label>
      <label>
        API secret{" "}
        <input
          type="password"
          value={keys.consumerSecret}
          autoComplete="off"
          onInput={({ currentTarget }) =>
            onChange({ ...keys, consumerSecret: currentTarget.value })
          }
        />
      </label>
    </div>
  );
}
