import { useState } from "preact/hooks";
import { Form } from "../../parts/form.tsx";
import { controlCurl, faultCommand } from "../../../operations/faults/fault-command.ts";
import type { FaultSpec, SandboxUser } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { platformNow } from "../../parts/clock.ts";
import { toast } from "../../parts/toasts.tsx";
import { Choice } from "../../parts/choice.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { inputText } from "../delivery/stretch.ts";

const DIRECTIONS = ["delivery", "challenge", "request", "stream"] as const;
type Direction = (typeof DIRECTIONS)[number];
type FaultType = FaultSpec["fault"]["type"];
const EVERYWHERE = ["drop", "duplicate", "delay", "cut", "cut_after"] as const;
const TYPES: Readonly<Record<Direction, readonly FaultType[]>> = {
  delivery: [...EVERYWHERE, "reorder", "status", "timeout"],
  challenge: ["drop", "delay", "cut", "cut_after", "status", "timeout"],
  request: [...EVERYWHERE, "status", "timeout", "limit", "skew"],
  stream: [...EVERYWHERE, "end", "disconnect", "stall"],
};
const VALUES: Readonly<Partial<Record<FaultType, "ms" | "status" | "n">>> = {
  delay: "ms",
  stall: "ms",
  timeout: "ms",
  status: "status",
  duplicate: "n",
  reorder: "n",
};
const LABELS = { ms: "Milliseconds", status: "HTTP status", n: "How many" } as const;
const WHEN: readonly (readonly [string, string])[] = [
  ["next", "Next N times"],
  ["every", "Every k-th"],
  ["probability", "At random"],
  ["until", "Until"],
  ["always", "Always"],
];
const HOUR_MS = 3_600_000;

interface BuilderProps {
  readonly people: readonly SandboxUser[];
  readonly baseUrl: string;
  readonly mayChange: boolean;
  readonly onAdded: () => void;
}

/** Form for adding a fault. It shows the equivalent HTTP request and terminal command. */
export function Builder({ people, baseUrl, mayChange, onAdded }: BuilderProps) {
  const [direction, setDirection] = useState<Direction>("delivery");
  const [type, setType] = useState<FaultType>("drop");
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({
    when: "next",
    times: "1",
    until: inputText(platformNow.value + HOUR_MS),
  });
  const [error, setError] = useState<string>();
  const offered = TYPES[direction];
  const chosen = offered.find((one) => one === type) ?? offered[0] ?? "drop";
  const value = VALUES[chosen];
  const set = (name: string, text: string): void => setFields({ ...fields, [name]: text });
  const spec = specOf(direction, chosen, fields);
  const add = async (): Promise<void> => {
    try {
      const { id } = await sandbox.post<{ id: string }>("/faults", spec);
      setError(undefined);
      toast(`Fault ${id} is active.`);
      onAdded();
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : String(reason));
    }
  };
  return (
    <Form class="faults-builder" onSubmit={() => void add()}>
      <fieldset>
        <legend>Where</legend>
        <Choice label="Direction" value={direction} options={DIRECTIONS} onChange={setDirection} />
        <WhereFields direction={direction} people={people} fields={fields} set={set} />
      </fieldset>
      <fieldset>
        <legend>What</legend>
        <Choice label="Action" value={chosen} options={offered} onChange={setType} />
        {value !== undefined && (
          <FaultField
            name={value}
            label={LABELS[value]}
            hint="as usual"
            fields={fields}
            set={set}
          />
        )}
      </fieldset>
      <fieldset>
        <legend>When</legend>
        <WhenFields fields={fields} set={set} />
      </fieldset>
      {error !== undefined && (
        <p class="notice bad" role="alert">
          {error}
        </p>
      )}
      <pre tabIndex={0} aria-label="The fault as JSON">
        {JSON.stringify(spec, null, 2)}
      </pre>
      <div class="row">
        <button type="submit" class="go" disabled={!mayChange}>
          Add this fault
        </button>
        <CopyButton label="Copy as command" text={() => faultCommand(spec)} />
        <CopyButton
          label="Copy as curl"
          text={() => controlCurl(`${baseUrl}/_sandbox/faults`, spec)}
        />
      </div>
    </Form>
  );
}

interface FieldsProps {
  readonly fields: Readonly<Record<string, string>>;
  readonly set: (name: string, text: string) => void;
}

interface FaultFieldProps extends FieldsProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly type?: "datetime-local";
}

function FaultField({ name, label, hint = "", type, fields, set }: FaultFieldProps) {
  return (
    <label>
      {label}
      <input
        {...(type && { type, required: true })}
        value={fields[name] ?? ""}
        placeholder={hint}
        onInput={({ currentTarget }) => set(name, currentTarget.value)}
      />
    </label>
  );
}

interface WhereFieldsProps extends FieldsProps {
  readonly direction: Direction;
  readonly people: readonly SandboxUser[];
}

/** Form fields that limit the fault to certain requests, events or accounts. */
function WhereFields({ direction, people, ...access }: WhereFieldsProps) {
  const { fields, set } = access;
  const isStream = direction === "stream";
  return (
    <>
      {direction === "request" && (
        <FaultField name="method" label="Method" hint="any" {...access} />
      )}
      {(direction === "request" || isStream) && (
        <FaultField name="path" label="Endpoint" hint="/2/*" {...access} />
      )}
      {(direction === "delivery" || isStream) && (
        <FaultField
          name="event"
          label="Event key"
          hint={isStream ? "post" : "follow_events"}
          {...access}
        />
      )}
      {direction !== "challenge" && (
        <Choice
          label="Account"
          value={fields["account"] ?? ""}
          options={[
            ["", "any"],
            ...people.map(({ id, username }) => [id, `@${username}`] as const),
          ]}
          onChange={(account) => set("account", account)}
        />
      )}
    </>
  );
}

/** Form fields that determine when and how often the fault happens. */
function WhenFields(access: FieldsProps) {
  const when = access.fields["when"] ?? "next";
  return (
    <>
      <Choice
        label="How often"
        value={when}
        options={WHEN}
        onChange={(chosen) => access.set("when", chosen)}
      />
      {when === "next" && <FaultField name="times" label="N" {...access} />}
      {when === "every" && <FaultField name="times" label="k" {...access} />}
      {when === "probability" && (
        <>
          <FaultField name="probability" label="Probability" hint="0.5" {...access} />
          <FaultField name="seed" label="Seed" hint="one" {...access} />
        </>
      )}
      {when === "until" && (
        <FaultField name="until" label="Until" type="datetime-local" {...access} />
      )}
    </>
  );
}

function specOf(
  direction: Direction,
  type: FaultType,
  fields: Readonly<Record<string, string>>,
): FaultSpec {
  const text = (name: string): string | undefined => fields[name]?.trim() || undefined;
  const value = VALUES[type];
  const amount = value === undefined ? undefined : text(value);
  const match = {
    direction,
    ...(direction === "request" && { method: text("method") }),
    ...(/request|stream/.test(direction) && { path: text("path") }),
    ...(/delivery|stream/.test(direction) && { event: text("event") }),
    ...(direction !== "challenge" && { account: text("account") }),
  };
  const fault = { type, ...(value && amount && { [value]: Number(amount) }) };
  return { match, fault, when: whenIn(text) };
}

function whenIn(text: (name: string) => string | undefined): FaultSpec["when"] {
  const times = Number(text("times") ?? 1);
  const when = text("when");
  if (when === "every") return { every: times };
  if (when === "always") return { always: true };
  if (when === "until") return { until: timeOf(text("until")) };
  if (when !== "probability") return { next: times };
  return { probability: Number(text("probability") ?? 0.5), seed: text("seed") };
}

/** Converts the value of a `datetime-local` input. An empty value stays empty, which the sandbox refuses. */
function timeOf(value = ""): string {
  return value === "" ? "" : new Date(value).toISOString();
}
