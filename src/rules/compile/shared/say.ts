import type { Mistake, Problem } from "../../../config/problem.ts";
import type { Part, Path, YamlDocument } from "../../../config/yaml-document.ts";
import type { SharedSaying } from "../../steps/step-context.ts";
import { drawn } from "../../expression/fingerprint.ts";
import { bestLanguage, eventKeyOf, languageOf } from "../../texts/language.ts";
import { reportOtherTemplates } from "../mistakes/other-templates.ts";
import type { RuleScope } from "../../expression/scope.ts";
import type { TextTemplate } from "../../expression/template.ts";
import type { Dependency } from "./dependency.ts";
import type { FileShared } from "./file-shared.ts";

/** Members of a rule's compile context that are needed to compile the shared texts of its `say` keys. */
export interface TextContext {
  readonly document: YamlDocument;
  readonly scope: RuleScope;
  readonly shared: Pick<FileShared, "texts">;
  /** Names of the shared texts under compilation, outermost first: one text can include another. */
  readonly openTexts: readonly string[];
  /** Returns the same context for the shared text `name`. Messages of its problems name the rule that uses the text. */
  withinText(name: string): TextContext;
  dependsOn(dependency: Dependency): void;
  add(problem: Problem): void;
  report(path: Path, mistake: Mistake, part?: Part): undefined;
  template(path: Path, source: string): TextTemplate | undefined;
  /** Translates the expression inside a template of another tool. Returns only a form that compiles to a text. */
  meantIn(template: string, path: Path): string | undefined;
}

/** Compiles the shared text `name`, which the rule of `context` uses at `at`. Problems go to the context. */
export function compileSaying(
  context: TextContext,
  name: string,
  at: Path,
): SharedSaying | undefined {
  const looked = context.shared.texts.find(name);
  if ("mistake" in looked) return context.report(at, looked.mistake, { text: name });
  if ("problems" in looked) {
    for (const problem of looked.problems) context.add(problem);
    return undefined;
  }
  if (context.openTexts.includes(name))
    return context.report(at, holdsItself(name), { text: name });
  context.dependsOn(looked.dependency);
  const own = context.withinText(name);
  const languages = looked.value.languages.map((language) => ({
    name: language.name,
    variants: language.variants.flatMap((path) => {
      const template = variant(own, path);
      return template ? [{ path, template }] : [];
    }),
  }));
  reportOtherTemplates(own, ["texts", name]);
  const variants = languages.flatMap((one) => one.variants);
  const [first] = variants;
  const wanted = looked.value.languages.flatMap((one) => one.variants).length;
  if (!first || variants.length < wanted) return undefined;
  const names = languages.map((one) => one.name);
  return {
    variants,
    choose(view, language = languageOf(view)) {
      const all = languages[bestLanguage(language, names)]?.variants ?? [];
      const place = Math.floor(drawn(`${eventKeyOf(view)}/${name}`) * all.length);
      return (all[place] ?? first).template;
    },
  };
}

function variant(context: TextContext, path: Path): TextTemplate | undefined {
  return context.template(path, context.document.sourceAt(path) ?? "");
}

function holdsItself(name: string): Mistake {
  const help = "remove it from one of the texts";
  return { code: "text-holds-itself", message: `the text "${name}" includes itself`, help };
}
