import { useEffect, useState } from "preact/hooks";
import { command } from "../../../asking/api.ts";
import { route } from "../../../routing/route.ts";
import { Ladder } from "./ladder.tsx";
import { type LogInNews, tellNews } from "./news.ts";
import { Outcome } from "./outcome.tsx";

/** Callback page to which the platform redirects a person. Requests the access token, the last step of the log-in. */
export function CallbackPage() {
  const { query } = route.value;
  const requestToken = query.get("oauth_token") ?? query.get("denied") ?? "";
  const verifier = query.get("oauth_verifier") ?? undefined;
  const [news, setNews] = useState<LogInNews>();
  useEffect(() => {
    const tokenFields = { requestToken, ...(verifier !== undefined && { verifier }) };
    command("completeLogIn", { query: query.toString() }).then(
      (done) => setNews({ ...tokenFields, done }),
      (error: unknown) =>
        setNews({ ...tokenFields, failed: error instanceof Error ? error.message : String(error) }),
    );
  }, []);
  useEffect(() => news && tellNews(news), [news]);
  const last = news === undefined ? "now" : news.done === undefined ? "failed" : "done";
  return (
    <main id="main" tabIndex={-1}>
      <h1>Back from the log-in</h1>
      {news !== undefined && <Outcome news={news} />}
      <h2 class="hidden-text">The three steps</h2>
      <Ladder
        states={[
          "done",
          verifier === undefined ? "failed" : "done",
          verifier === undefined ? "waiting" : last,
        ]}
        requestToken={requestToken}
        verifier={verifier}
      />
      <p>
        {news?.done !== undefined && (
          <a href={`/portal/apps/${news.done.appId}?part=keys`}>
            The tokens that people gave the app
          </a>
        )}{" "}
        The tab that began the log-in shows the same; this one can be closed.
      </p>
    </main>
  );
}
