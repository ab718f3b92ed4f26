import { useEffect, useState } from "preact/hooks";
import type { RecentLine } from "../../../../runtime/vocabulary.ts";
import { missed, useLive } from "../../live/live.ts";
import { useQuestion } from "../../asking/use-asked.ts";
import { Choice } from "../../parts/choice.tsx";
import { SearchField } from "../../parts/search-field.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import type { PageProps } from "../../page-props.ts";
import { route, setQuery } from "../../routing/route.ts";
import { LogLine } from "./log-line.tsx";
import { Sessions } from "./sessions.tsx";
import { BotStatus, System } from "./system.tsx";

const LEVELS = ["info", "warn", "error"] as const;
const MAX_LINES = 500;

/** Page with the bot's live log, and the state of bot and machine. */
export function Page({ session }: PageProps) {
  return (
    <main id="main" tabIndex={-1}>
      <h1>Log</h1>
      <div class="sides">
        {session.hasRuntime && <BotStatus />}
        <System />
      </div>
      {session.role === "operator" && <Sessions own={session.id} />}
      {session.hasRuntime ? (
        <Lines />
      ) : (
        <p>The sandbox keeps no log: what happens in it is on the page Events.</p>
      )}
    </main>
  );
}

function Lines() {
  const { query } = route.value;
  const least = LEVELS.find((level) => level === query.get("level")) ?? "info";
  const words = query.get("text") ?? "";
  const answer = useQuestion("logLines", {});
  const [fresh, setFresh] = useState<readonly RecentLine[]>([]);
  useLive(({ log }) => {
    if (log.length > 0) setFresh((last) => [...last, ...log].slice(-MAX_LINES));
  });
  // A restarted bot numbers its lines from 1 again. The request that an outage causes returns the new ones.
  useEffect(() => setFresh([]), [missed.value]);
  return (
    <section>
      <h2>What the bot logs</h2>
      <div class="row">
        <Choice
          label="Lowest level"
          value={least}
          options={LEVELS}
          onChange={(level) => setQuery("level", level)}
        />
        <SearchField label="Text contains" name="text" />
      </div>
      <Shown answer={answer}>
        {(before) => {
          const last = before.at(-1)?.seq ?? 0;
          const all = [...before, ...fresh.filter(({ seq }) => seq > last)];
          const shown = all
            .filter(({ level }) => LEVELS.indexOf(level) >= LEVELS.indexOf(least))
            .filter((line) => JSON.stringify(line).toLowerCase().includes(words.toLowerCase()))
            .slice(-MAX_LINES)
            .toReversed();
          if (shown.length === 0) return <Empty>No line of the log matches.</Empty>;
          return (
            <ol class="log-lines" aria-label="Lines of the log, newest first">
              {shown.map((line) => (
                <LogLine key={line.seq} line={line} />
              ))}
            </ol>
          );
        }}
      </Shown>
      <p class="soft">
        The latest lines of this process. All of them: <code>answerback logs</code>
      </p>
    </section>
  );
}
