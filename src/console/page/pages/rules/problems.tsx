import type { Problem } from "../../../../config/problem.ts";
import { Chip } from "../../parts/chip.tsx";

/** Lists problems of rule files, each with its place and the suggested fix. */
export function Problems({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul class="rules-problems" aria-label="Problems">
      {problems.map(({ file, line, column, severity, message, help, code }) => (
        <li key={`${file} ${line} ${column} ${code}`}>
          <Chip tone={severity === "error" ? "bad" : "warn"}>{severity}</Chip>{" "}
          <span class="mono">
            {file}:{line}:{column}
          </span>{" "}
          {message}
          {help !== undefined && <div class="soft">{help}</div>}
        </li>
      ))}
    </ul>
  );
}
