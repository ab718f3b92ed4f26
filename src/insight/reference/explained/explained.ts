import type { MessageCode } from "../../../rules/language.ts";
import { CONDITIONS_EXPLAINED } from "./conditions.ts";
import { SENDING_EXPLAINED } from "./sending.ts";
import { USES_EXPLAINED } from "./uses.ts";
import { YAML_REFUSED_EXPLAINED } from "./yaml-refused.ts";
import type { Explanation } from "../../../rules/example.ts";
import { EXPRESSIONS_EXPLAINED } from "./expressions.ts";
import { PROJECT_EXPLAINED } from "./project.ts";
import { SHARED_EXPLAINED } from "./shared.ts";
import { STEPS_EXPLAINED } from "./steps.ts";
import { TESTS_EXPLAINED } from "./tests.ts";
import { VALUES_EXPLAINED } from "./values.ts";
import { YAML_EXPLAINED } from "./yaml.ts";

/** Explanation of every problem: the reason, an example with it, and the same example fixed. */
export const EXPLAINED: Readonly<Record<MessageCode, Explanation>> = {
  ...YAML_EXPLAINED,
  ...YAML_REFUSED_EXPLAINED,
  ...VALUES_EXPLAINED,
  ...CONDITIONS_EXPLAINED,
  ...EXPRESSIONS_EXPLAINED,
  ...STEPS_EXPLAINED,
  ...SENDING_EXPLAINED,
  ...SHARED_EXPLAINED,
  ...USES_EXPLAINED,
  ...PROJECT_EXPLAINED,
  ...TESTS_EXPLAINED,
};
