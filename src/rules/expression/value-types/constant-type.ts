/** Returns the CEL type of a value in YAML. */
export function typeOfConstant(value: unknown): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "int" : "double";
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === "string");
  return isTexts ? "list<string>" : "dyn";
}
