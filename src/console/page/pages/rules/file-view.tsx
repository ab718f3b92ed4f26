import { useEffect, useState } from "preact/hooks";
import type { SessionAnswer } from "../../../operations/session.ts";
import { ask } from "../../asking/api.ts";
import { notify } from "../../parts/toasts.tsx";
import { Chip } from "../../parts/chip.tsx";
import { route } from "../../routing/route.ts";
import { EditFile } from "./edit-file.tsx";
import { Problems } from "./problems.tsx";
import { RuleState } from "./rule-state.tsx";
import type { ShownOverview } from "./overview.ts";
import { Sparkline } from "./sparkline.tsx";
import { counted } from "../../../../text/counted.ts";

interface FileProps {
  readonly overview: ShownOverview;
  readonly rule: ShownOverview["rules"][number];
  readonly session: SessionAnswer;
}

/** Shows a rule within its file. Each line has the counts of its runs and conditions. */
export function FileView({ overview, rule, session }: FileProps) {
  const [edited, edit] = useState<{ readonly text: string; readonly opened: number }>();
  const open = async (): Promise<void> => {
    const there = await notify(ask("ruleFile", { file: rule.file }));
    if (there !== undefined) edit({ text: there.text, opened: (edited?.opened ?? 0) + 1 });
  };
  useEffect(() => {
    if (route.value.query.get("edit") === "1") void open();
  }, []);
  const file = overview.files.find(({ path }) => path === rule.file);
  if (file === undefined) return <p>The file {rule.file} no longer exists.</p>;
  return (
    <>
      <section class="card">
        <div class="row">
          <h2>{rule.id}</h2>
          <Sparkline points={rule.points} name={rule.id} />
          <span>{counted(rule.runs, "run")}</span>
          <RuleState rule={rule} />
          {rule.lastError !== undefined && (
            <a href={`/traces/${rule.lastError.run.split("/")[0]}`}>Its trace</a>
          )}
        </div>
        <p class="soft">
          {rule.file}, lines {rule.lines[0]} to {rule.lines[1]}. Conditions are judged by the latest{" "}
          {counted(overview.judged, "event")}
          {!overview.isWhole && "; older runs are not counted"}.
        </p>
        <Problems problems={file.problems} />
        <button
          type="button"
          aria-pressed={edited !== undefined}
          onClick={() => (edited === undefined ? void open() : edit(undefined))}
        >
          {edited === undefined ? "Edit the file" : "Back to the counts"}
        </button>
      </section>
      {edited === undefined ? (
        <Counted file={file} rule={rule} />
      ) : (
        <EditFile
          key={edited.opened}
          file={file.path}
          text={edited.text}
          session={session}
          openAgain={() => void open()}
        />
      )}
    </>
  );
}

function Counted({
  file,
  rule,
}: {
  file: ShownOverview["files"][number];
  rule: FileProps["rule"];
}) {
  const [first, last] = rule.lines;
  const marked = Number(route.value.query.get("line"));
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label={`The text of ${file.path}`}>
      <table class="rules-text">
        <thead class="hidden-text">
          <tr>
            <th>Line</th>
            <th>Reached</th>
            <th>Text</th>
          </tr>
        </thead>
        <tbody>
          {file.text.split("\n").map((text, at) => {
            const line = at + 1;
            const hits = file.lines[line];
            const isIn = line >= first && line <= last;
            const isMarked = line === marked;
            return (
              <tr
                key={line}
                class={isMarked ? "marked" : isIn ? "own" : ""}
                {...(isMarked && { "aria-current": "true", ref: intoView })}
              >
                <td class="number">{line}</td>
                <td class="rules-hits">{hits !== undefined && <Hits {...hits} />}</td>
                <td>
                  <pre>{text === "" ? " " : text}</pre>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function intoView(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: "center" });
}

type LineHits = ShownOverview["files"][number]["lines"][number];

function Hits({ ran, failed, held, missed }: LineHits) {
  return (
    <>
      {ran > 0 && <Chip tone="good">{ran}</Chip>}
      {failed > 0 && <Chip tone="bad">{failed} failed</Chip>}
      {held > 0 && <span title="Events for which the condition is true">{held} true</span>}
      {missed > 0 && (
        <span class="soft" title="Events for which the condition is false">
          {missed} false
        </span>
      )}
    </>
  );
}
