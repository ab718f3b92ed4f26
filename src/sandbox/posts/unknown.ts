import { Refusal } from "../kernel/refusal.ts";

/** A value of a body that names nothing. */
export function unknownValue(name: string, value: string): Refusal {
  return Refusal.parameter(
    name,
    value,
    `The \`${name}\` value [${value}] names nothing that you can see.`,
  );
}
