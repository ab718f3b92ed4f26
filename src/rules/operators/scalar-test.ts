import type { FieldTest, OperandFault, OperatorUse } from "./operator.ts";
import { wordTest } from "./text-test.ts";

type Scalar = string | number | boolean;

/** Creates the test whether a value is one of `operands`, which must have the type of the field. */
export function equalsAny(operands: readonly Scalar[], use: OperatorUse): FieldTest | OperandFault {
  const { type } = use;
  if (type === "number" || type === "boolean") {
    const wrong = operands.find((one) => typeof one !== type);
    if (wrong !== undefined) return wrongType(wrong, use);
    const wanted: ReadonlySet<unknown> = new Set(operands);
    return (value) => wanted.has(value);
  }
  return wordTest(operands.map(String), use, (text, word) => text === word);
}

function wrongType(wrong: Scalar, { type }: OperatorUse): OperandFault {
  const message = `${JSON.stringify(wrong)} is compared with a ${type}`;
  const help = `write ${type === "boolean" ? truthOf(wrong) : numberOf(wrong)}`;
  return { mistake: { code: "operand-type", message, help } };
}

function truthOf(value: Scalar): string {
  if (/^(?:true|yes|y|on|1)$/i.test(String(value))) return "true";
  return /^(?:false|no|n|off|0)$/i.test(String(value)) ? "false" : "a boolean: true or false";
}

function numberOf(value: Scalar): string {
  const text = String(value).trim();
  return /^-?\d+(?:\.\d+)?$/.test(text) ? text : "a number, without quotes";
}
