import { parseArgs } from "node:util";
import { EngineError } from "./errors.js";
import { findEngine } from "./find/find-engine.js";
import { findLanguageHost } from "./find/find-language-host.js";
import { findPythonEnvironment } from "./find/find-python-environment.js";

const USAGE = `Usage: npm run engine -- [--json] [--yaml] [--python]

Finds a Pulumi engine, or downloads or builds one, and prints where it is.

  --json    print one JSON object
  --yaml    find or build the YAML language host, too
  --python  find or build the Python language host, too, and install Pulumi's
            package for Python programs
`;

/**
 * Runs the command behind `npm run engine`: progress on stderr, the engine on
 * stdout.
 *
 * @returns the exit code: 0, or 1 with the reason on stderr.
 */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: "boolean" },
        yaml: { type: "boolean" },
        python: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) {
      process.stdout.write(USAGE);
      return 0;
    }
    const engine = await findEngine();
    const found: Record<string, string> = { ...engine };
    if (values.yaml) found.yamlHost = await findLanguageHost("yaml", engine);
    if (values.python) {
      found.pythonHost = await findLanguageHost("python", engine);
      found.pythonEnvironment = await findPythonEnvironment();
    }
    const lines = Object.entries(found).map(
      ([name, value]) => `${name}: ${value}\n`,
    );
    process.stdout.write(
      values.json ? `${JSON.stringify(found)}\n` : lines.join(""),
    );
    return 0;
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    return 1;
  }
}

function explain(error: unknown): string {
  if (error instanceof EngineError) return error.message;
  if (error instanceof TypeError && "code" in error) {
    return `${error.message}\n${USAGE}`;
  }
  return error instanceof Error
    ? (error.stack ?? error.message)
    : String(error);
}
