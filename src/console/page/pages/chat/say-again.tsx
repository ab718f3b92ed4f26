import { useEffect, useState } from "preact/hooks";
import type { QuestionAnswers } from "../../../operations/operations.ts";
import { ask } from "../../asking/api.ts";
import { otherRules } from "../../parts/other-rules.ts";
import { notify } from "../../parts/toasts.tsx";
import { Compared } from "../../parts/compared.tsx";
import { Empty } from "../../parts/states.tsx";
import { counted } from "../../../../text/counted.ts";

type Said = QuestionAnswers["sayAgain"][number];

const COUNT = 5;

/** After a change of the rules, shows the answers of the new rules to the latest messages. */
export function SayAgain() {
  const revision = otherRules.value;
  const [said, setSaid] = useState<readonly Said[]>();
  useEffect(() => setSaid(undefined), [revision]);
  if (revision === undefined) return null;
  return (
    <section class="notice chat-again" aria-label="Other rules">
      <div class="row">
        <span role="status">
          <strong>Rules changed.</strong> Say the last {COUNT} messages again to the new rules?
          Nothing is sent.
        </span>
        <button
          type="button"
          onClick={() => void notify(ask("sayAgain", { count: COUNT })).then(setSaid)}
        >
          Say them again
        </button>
        <button type="button" class="quiet" onClick={() => (otherRules.value = undefined)}>
          Dismiss
        </button>
      </div>
      {said !== undefined && <Messages said={said} />}
    </section>
  );
}

function Messages({ said }: { said: readonly Said[] }) {
  if (said.length === 0) return <Empty>Nobody has written to the bot yet.</Empty>;
  const others = said.filter(({ compared }) => compared === "other").length;
  return (
    <>
      <p role="status">
        {others} of {counted(said.length, "message")} would be answered differently. Each is tried
        on its own, newest first, without cooldowns and limits.
      </p>
      <div class="scrolls" tabIndex={0} role="region" aria-label="Said again">
        <table>
          <thead>
            <tr>
              <th>Message</th>
              <th>Answered then</th>
              <th>The new rules</th>
              <th>Compared</th>
            </tr>
          </thead>
          <tbody>
            {said.map(({ seq, by, text, before, after, compared, notAsked }) => {
              const differs = compared === "other";
              return (
                <tr key={seq}>
                  <td>
                    <a href={`/traces/${seq}`}>@{by}</a> {text}
                  </td>
                  <td>
                    <Answer answer={before} as={differs ? "del" : "div"} />
                  </td>
                  <td>
                    <Answer answer={after} as={differs ? "ins" : "div"} />
                    {notAsked.length > 0 && (
                      <small class="soft">not asked: {notAsked.join(", ")}</small>
                    )}
                  </td>
                  <td>
                    <Compared compared={compared} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Answer({ answer, as: Tag }: { answer: Said["before"]; as: "del" | "ins" | "div" }) {
  const { says, word } = answer;
  if (says.length === 0) return <span class="soft">nothing ({word})</span>;
  return (
    <>
      {says.map((words, at) => (
        <Tag key={at}>{words}</Tag>
      ))}
    </>
  );
}
