/** Compiles a rule file of six lines. V8 writes a coverage report after loading, and another after compiling. */
import { takeCoverage } from "node:v8";
import { compileRules } from "../../../src/rules/compile/compile-rules.ts";

const SIX_LINES = `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: hours}}]
    actions: [{reply_dm: {text: "Hello, \${{ sender.name }}: 9 to 17."}}]
`;

takeCoverage();
compileRules(SIX_LINES);
takeCoverage();
