import { valueInWords } from "../rehearsal/verdict-in-words.ts";
import { pageDocument } from "../system/page/document.ts";
import { html, type Html } from "../system/page/html.ts";
import type { RedactedTrace } from "./redacted.ts";
import type { TraceRun, TraceVerdict } from "./trace.ts";

/**
 * A redacted trace as one HTML file: it needs no script, asks for nothing from anywhere, and is light or dark as its
 * reader has it.
 */
export function sharedPage(trace: RedactedTrace): string {
  const { event, outcome, verdicts, runs, items, decision } = trace;
  const changed = decision.rulesChanged
    ? html`<p>
        Other rules decided then: ${namesOf(decision.ran)} ran. The verdicts are what the rules say
        now.
      </p>`
    : undefined;
  return pageDocument({
    title: `Event ${event.seq}: ${outcome.word}`,
    band: html`<strong>Trace</strong> people are replaced by numbers`,
    wide: true,
    main: html`<h1>${event.inWords}</h1>
      <p><strong>${outcome.word}</strong>: ${outcome.reason}</p>
      <h2>What happened</h2>
      <ol>
        ${courseOf(trace).map(({ at, what }) => html`<li><time datetime="${iso(at)}">${iso(at)}</time> ${what}</li>`)}
      </ol>
      <h2>What the rules said</h2>
      ${changed}${verdicts.length === 0 ? html`<p>No rule listens to it.</p>` : undefined}
      <ul>
        ${verdicts.map(verdictItem)}
      </ul>
      ${runs.map(runSection)} ${items.length === 0 ? undefined : html`<h2>What was to be sent</h2>`}
      <ul>
        ${items.map(({ id, status, inWords, attempts, reason }) => html`<li>item ${String(id)}, ${status}${attempts > 1 ? ` after ${attempts} tries` : ""}: ${inWords}${reason === undefined ? "" : ` (${reason})`}</li>`)}
      </ul>`,
  });
}

interface Moment {
  readonly at: number;
  readonly what: string;
}

/** What happened, in the order of time. */
function courseOf({ event, times, items, runs }: RedactedTrace): readonly Moment[] {
  const { happened, arrived, decided } = times;
  const sent = items.flatMap(({ inWords, startedAt, settledAt, status }): readonly Moment[] => [
    ...(startedAt === undefined ? [] : [{ at: startedAt, what: `request: ${inWords}` }]),
    ...(settledAt === undefined ? [] : [{ at: settledAt, what: `${status}: ${inWords}` }]),
  ]);
  const waits = runs.flatMap(({ waitsFor, inWords, id }): readonly Moment[] =>
    waitsFor.flatMap(({ until }) =>
      until === undefined ? [] : [{ at: until, what: `${id} ${inWords}` }],
    ),
  );
  return [
    { at: happened, what: `it happened: ${event.triggers.join(", ") || event.kind}` },
    { at: arrived, what: `it came in by ${event.source}${event.replayed ? ", late" : ""}` },
    ...(decided === undefined ? [] : [{ at: decided, what: "the rules decided" }]),
    ...[...sent, ...waits].sort((a, b) => a.at - b.at),
  ];
}

function verdictItem({ ruleId, outcome, reason, clause, at, until }: TraceVerdict): Html {
  const place = html`<span class="soft">${at.file}:${String(at.line)}:${String(at.column)}</span>`;
  if (outcome === "ran") return html`<li><strong>${ruleId} ran</strong> ${place}</li>`;
  const why =
    clause === undefined
      ? html`${at.sourceLine?.trim() ?? ""}`
      : html`wanted <code>${clause.wanted}</code>,
          ${clause.error ?? `there is ${valueInWords(clause.actual)}`}`;
  const again = until === undefined ? "" : `, until ${iso(until)}`;
  return html`<li>${ruleId} did not run: ${reason}${again} ${place}<br />${why}</li>`;
}

function runSection({ id, inWords, steps }: TraceRun): Html {
  return html`<h2>Run ${id}</h2>
    <p>${inWords}</p>
    <ol>
      ${steps.map(({ label, verb, state, error, result, at }) => {
        const told = error?.message ?? (result === undefined ? "" : valueInWords(result));
        const place = at === undefined ? "" : ` (${at.file}:${at.line})`;
        return html`<li>${label} ${verb ?? ""} ${state}${place} ${told}</li>`;
      })}
    </ol>`;
}

function namesOf(ids: readonly string[]): string {
  return ids.length === 0 ? "no rule" : ids.join(", ");
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
