import { Argument, Command } from "commander";
import { withExamples } from "../help/examples.ts";
import type { Io } from "../io.ts";
import { oneOf } from "../arguments/one-of.ts";

/** `completion`: prints a script that lets a shell complete this command line. */
export function completion(io: Io): Command {
  const command = new Command("completion")
    .description("print a shell script that completes commands and options")
    .addArgument(oneOf(new Argument("<shell>", "shell to print it for"), ["bash", "zsh", "fish"]));
  const examples = ["answerback completion bash"];
  const after = `To load it:
  bash  source <(answerback completion bash)          in ~/.bashrc
  zsh   source <(answerback completion zsh)           in ~/.zshrc, after compinit
  fish  answerback completion fish | source           in ~/.config/fish/config.fish`;
  return withExamples(command, examples, after).action(async (shell: "bash" | "zsh" | "fish") => {
    const { completionScript } = await import("../help/completion-script.ts");
    const root = command.parent;
    if (root !== null) io.out(await completionScript(root, shell));
  });
}
