import type { QuestionAnswers } from "../../../operations/operations.ts";
import { useQuestion } from "../../asking/use-asked.ts";
import { Chip } from "../../parts/chip.tsx";
import { Shown } from "../../parts/states.tsx";
import { duration } from "../../parts/duration.ts";
import { Time } from "../../parts/time.tsx";

const MB = 1024 * 1024;

type Status = QuestionAnswers["status"];

/** Shows the bot's status: whether it is ready, what it lacks, and its facts. */
export function BotStatus() {
  const answer = useQuestion("status", {}, (batch) => batch.runtime.length > 0);
  return (
    <section class="card">
      <h2>The bot</h2>
      <Shown answer={answer}>
        {(status) => (
          <>
            <Readiness {...status} />
            <BotFacts {...status} />
          </>
        )}
      </Shown>
    </section>
  );
}

function Readiness({ missing, otherInstances = [] }: Status) {
  return (
    <>
      {otherInstances.map(({ account, username, reason, holdsBack }) => (
        <p key={`${account} ${reason}`}>
          <Chip tone="bad">another instance</Chip> @{username ?? account}: {reason}
          {holdsBack && "; nothing is sent here until: answerback resume"}
        </p>
      ))}
      {missing.length === 0 ? (
        <p>
          <Chip tone="good">ready</Chip>
        </p>
      ) : (
        missing.map(({ part, reason }) => (
          <p key={part}>
            <Chip tone="bad">not ready</Chip> {part}: {reason}
          </p>
        ))
      )}
    </>
  );
}

function BotFacts({ accounts, rules, bots, webhook, startedAt, store, botFaults }: Status) {
  return (
    <dl class="facts">
      <dt>Up since</dt>
      <dd>
        <Time at={startedAt} withDate />
      </dd>
      <dt>Accounts</dt>
      <dd>
        {accounts.length === 0 && "none: link one with answerback login"}
        {accounts.map(({ id, username, subscribed, reason }) => (
          <div key={id}>
            @{username}, {subscribed ? "its events arrive" : `its events don't arrive: ${reason}`}
          </div>
        ))}
      </dd>
      <dt>Webhook</dt>
      <dd>{webhook.trouble ?? webhook.url}</dd>
      <dt>Rules</dt>
      <dd>
        <a href="/rules">
          {rules.count}, {rules.problems.length === 0 ? "no problem" : rules.problems.join("; ")}
        </a>
      </dd>
      <dt>Bots</dt>
      <dd>{bots.map(({ name }) => name).join(", ") || "none"}</dd>
      {botFaults.length > 0 && (
        <>
          <dt>Faults</dt>
          <dd>{botFaults.join("; ")}</dd>
        </>
      )}
      <dt>Events</dt>
      <dd>
        {store.journal} kept, {store.inbox} to decide
      </dd>
    </dl>
  );
}

/** Shows the process that serves the console (version, memory, uptime), and the machine's memory. */
export function System() {
  const answer = useQuestion("system", {});
  return (
    <section class="card">
      <h2>The process</h2>
      <Shown answer={answer}>
        {({ version, node, pid, upFor, rss, free, total, folder }) => (
          <dl class="facts">
            <dt>Answerback</dt>
            <dd>
              {version}, Node {node}, process {pid}
            </dd>
            <dt>Up for</dt>
            <dd>{duration(upFor * 1_000)}</dd>
            <dt>Memory</dt>
            <dd>
              {Math.round(rss / MB)} MB; of the machine's {Math.round(total / MB)} MB{" "}
              {Math.round(free / MB)} MB are free
            </dd>
            {folder !== undefined && (
              <>
                <dt>Data folder</dt>
                <dd class="mono">{folder}</dd>
                <dt>Check everything</dt>
                <dd>
                  <code>answerback doctor</code>
                </dd>
              </>
            )}
          </dl>
        )}
      </Shown>
    </section>
  );
}
