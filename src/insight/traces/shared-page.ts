import { pageDocument } from "../../system/page/document.ts";
import { html, type Html } from "../../system/page/html.ts";
import type { SharedRun, SharedTrace, SharedVerdict } from "./shared-trace.ts";

/**
 * Renders a trace for sharing as one HTML file. The file has no script, loads nothing, and supports light and dark
 * mode.
 */
export function sharedPage(trace: SharedTrace): string {
  const { seq, headline, word, course, ranThen, isUndecided, verdicts, runs, items } = trace;
  const changed =
    ranThen &&
    html`<p>
      Other rules decided then: ${ranThen.length === 0 ? "no rule" : ranThen.join(", ")} ran. The
      verdicts are what the rules say now.
    </p>`;
  return pageDocument({
    title: `Event ${seq}: ${word}`,
    band: html`<strong>Trace</strong> people are replaced by numbers`,
    wide: true,
    main: html`<h1>${headline}</h1>
      <p><strong>${word}</strong></p>
      <h2>What happened</h2>
      <ol>
        ${course.map(({ at, what }) => html`<li><time datetime="${iso(at)}">${iso(at)}</time> ${what}</li>`)}
      </ol>
      <h2>What the rules said</h2>
      ${changed}${verdicts.length === 0 ? html`<p>No rule listens to it.</p>` : undefined}
      <ul>
        ${verdicts.map((verdict) => verdictItem(verdict, isUndecided))}
      </ul>
      ${runs.map(runSection)} ${items.length === 0 ? undefined : html`<h2>What was to be sent</h2>`}
      <ul>
        ${items.map((item) => html`<li>${item}</li>`)}
      </ul>`,
  });
}

function verdictItem(verdict: SharedVerdict, isUndecided: boolean): Html {
  const { ruleId, outcome, reason, wanted, actual, line = "", until } = verdict;
  const place = html`<span class="soft">${verdict.place}</span>`;
  if (outcome === "ran") {
    return html`<li><strong>${ruleId} ${isUndecided ? "would run" : "ran"}</strong> ${place}</li>`;
  }
  const why =
    wanted === undefined
      ? html`${line}`
      : html`wanted <code>${wanted}</code>, there is ${actual ?? "nothing"}`;
  const again = until === undefined ? "" : `, until ${iso(until)}`;
  return html`<li>${ruleId} did not run: ${reason}${again} ${place}<br />${why}</li>`;
}

function runSection({ owner, status, steps }: SharedRun): Html {
  return html`<h2>Run of ${owner}</h2>
    <p>${status}</p>
    <ol>
      ${steps.map((step) => html`<li>${step}</li>`)}
    </ol>`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
