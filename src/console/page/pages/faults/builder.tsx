import { useState } from "preact/hooks";
import { Form } from "../../parts/form.tsx";
import { controlCurl, faultCommand } from "../../../operations/faults/fault-command.ts";
import type { FaultSpec, SandboxUser } from "../../../../sandbox/control/objects.ts";
import { sandbox } from "../../asking/api.ts";
import { platformNow } from "../../parts/clock.ts";
import { toast } from "../../parts/toasts.tsx";
import { CopyButton } from "../../parts/copy-button.tsx";
import { inputText } from "../delivery/stretch.ts";

const DIRECTIONS = ["delivery", "challenge", "request", "stream"] as const;
const EVERYWHERE = ["drop", "duplicate", "delay", "cut", "cut_after"] as const;
const TYPES: Readonly<Record<(typeof DIRECTIONS)[number], readonly FaultSpec["fault"]["type"][]>> =
  {
    delivery: [...EVERYWHERE, "reorder", "status", "timeout"],
    challenge: ["drop", "delay", "cut", "cut_after", "status", "timeout"],
    request: [...EVERYWHERE, "status", "timeout", "limit", "skew"],
    stream: [...EVERYWHERE, "end", "disconnect", "stall"],
  };
const VALUES: Readonly<Partial<Record<FaultSpec["fault"]["type"], "ms" | "status" | "n">>> = {
  delay: "ms",
  stall: "ms",
  timeout: "ms",
  status: "status",
  duplicate: "n",
  reorder: "n",
};
const LABELS = { ms: "Milliseconds", status: "HTTP status", n: "How many" } as const;
const WHEN = {
  next: "Next N times",
  every: "Every k-th",
  probability: "At random",
  until: "Until",
};
const HOUR_MS = 3_600_000;

interface BuilderProps {
  readonly people: readonly SandboxUser[];
  readonly baseUrl: string;
  readonly mayChange: boolean;
  readonly onAdded: () => void;
}

/** A fault put together by hand, with the request and the command that make it. */
export function Builder({ people, baseUrl, mayChange, onAdded }: BuilderProps) {
  const [direction, setDirection] = useState<(typeof DIRECTIONS)[number]>("delivery");
  const [type, setType] = useState<FaultSpec["fault"]["type"]>("drop");
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
  const input = (name: string, label: string, hint = "", type?: "datetime-local") => (
    <label key={name}>
      {label}
      <input
        {...(type && { type })}
        value={fields[name] ?? ""}
        placeholder={hint}
        onInput={({ currentTarget }) => set(name, currentTarget.value)}
      />
    </label>
  );
  return (
    <Form class="faults-builder" onSubmit={() => void add()}>
      <fieldset>
        <legend>Where</legend>
        <label>
          Direction
          <select
            value={direction}
            onChange={({ currentTarget }) =>
              setDirection(DIRECTIONS.find((one) => one === currentTarget.value) ?? "delivery")
            }
          >
            {DIRECTIONS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        {direction === "request" && input("method", "Method", "any")}
        {(direction === "request" || direction === "stream") && input("path", "Endpoint", "/2/*")}
        {(direction === "delivery" || direction === "stream") &&
          input("event", "Event key", direction === "stream" ? "post" : "follow_events")}
        {direction !== "challenge" && (
          <label>
            Account
            <select
              value={fields["account"] ?? ""}
              onChange={({ currentTarget }) => set("account", currentTarget.value)}
            >
              <option value="">any</option>
              {people.map(({ id, username }) => (
                <option key={id} value={id}>
                  @{username}
                </option>
              ))}
            </select>
          </label>
        )}
      </fieldset>
      <fieldset>
        <legend>What</legend>
        <label>
          Action
          <select
            value={chosen}
            onChange={({ currentTarget }) =>
              setType(offered.find((one) => one === currentTarget.value) ?? "drop")
            }
          >
            {offered.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        {value !== undefined && input(value, LABELS[value], "as usual")}
      </fieldset>
      <fieldset>
        <legend>When</legend>
        <label>
          How often
          <select
            value={fields["when"]}
            onChange={({ currentTarget }) => set("when", currentTarget.value)}
          >
            {Object.entries(WHEN).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
            <option value="always">Always</option>
          </select>
        </label>
        {fields["when"] === "next" && input("times", "N")}
        {fields["when"] === "every" && input("times", "k")}
        {fields["when"] === "probability" && [
          input("probability", "Probability", "0.5"),
          input("seed", "Seed", "one"),
        ]}
        {fields["when"] === "until" && input("until", "Until", "", "datetime-local")}
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

function specOf(
  direction: (typeof DIRECTIONS)[number],
  type: FaultSpec["fault"]["type"],
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
  if (when === "until") return { until: new Date(text("until") ?? 0).toISOString() };
  if (when !== "probability") return { next: times };
  return { probability: Number(text("probability") ?? 0.5), seed: text("seed") };
}
