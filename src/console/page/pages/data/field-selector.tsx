import { useRef, useState } from "preact/hooks";
import type { LookUp } from "../../../operations/tables/table.ts";
import { ask } from "../../asking/api.ts";
import { useAsked } from "../../asking/use-asked.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { ShownAnswer } from "../../parts/platform-answer.tsx";
import { Credential } from "../../parts/speaker.tsx";
import { Shown } from "../../parts/states.tsx";

/** Form for selecting fields and expansions. It shows the request, and how the selection changes the response. */
export function FieldSelector({ lookUp }: { lookUp: LookUp }) {
  const { parameter, ticked = [] } = lookUp;
  const [fields, setFields] = useState<readonly string[]>([]);
  const [expansions, setExpansions] = useState(ticked);
  const [as, setAs] = useState(lookUp.as);
  const parts = [
    ...(fields.length === 0 ? [] : [`${parameter}=${fields.join(",")}`]),
    ...(expansions.length === 0 ? [] : [`expansions=${expansions.join(",")}`]),
  ];
  const path = `${lookUp.path}${parts.length === 0 ? "" : `?${parts.join("&")}`}`;
  const before = useRef<{ path: string; body: string | undefined }>({ path, body: undefined });
  const last = useRef<string | undefined>(undefined);
  const lookUpAnswer = useAsked(
    async (signal) => {
      const answer = await ask("askPlatform", { path, as }, signal);
      if (before.current.path !== path) before.current = { path, body: last.current };
      last.current = answer.body;
      return { answer, before: before.current.body };
    },
    [as, path],
  );
  return (
    <section class="card stack" aria-label="Fields">
      <h2>Fields of an answer</h2>
      <Credential value={as} onChange={setAs} />
      <Ticks name="Fields" all={lookUp.fields} chosen={fields} choose={setFields} />
      <Ticks name="Expansions" all={lookUp.expansions} chosen={expansions} choose={setExpansions} />
      <div class="row">
        <code>GET {path}</code>
        <CopyButton label="Copy the request" text={`GET ${path}`} />
      </div>
      <Shown answer={lookUpAnswer}>
        {({ answer, before: earlier }) => (
          <ShownAnswer answer={answer} {...(earlier !== undefined && { before: earlier })} />
        )}
      </Shown>
    </section>
  );
}

interface TicksProps {
  readonly name: string;
  readonly all: readonly string[];
  readonly chosen: readonly string[];
  readonly choose: (chosen: readonly string[]) => void;
}

function Ticks({ name, all, chosen, choose }: TicksProps) {
  return (
    <fieldset>
      <legend>{name}</legend>
      <div class="data-fields">
        {all.map((field) => (
          <label key={field}>
            <input
              type="checkbox"
              checked={chosen.includes(field)}
              onChange={({ currentTarget }) =>
                choose(
                  currentTarget.checked
                    ? [...chosen, field]
                    : chosen.filter((one) => one !== field),
                )
              }
            />{" "}
            {field}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
