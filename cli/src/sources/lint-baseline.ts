import { writeFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { z } from "zod";
import { parsedJson, UsageError, writing } from "../errors";
import { jsonReport } from "../output/write-output";
import { readTextFile } from "./rule-files";

/**
 * A known finding. `digest` is the SHA-256 of the finding's identity, so that the file
 * contains no text of a rule.
 */
const KnownFinding = z.object({
  file: z.string(),
  code: z.string(),
  rule: z.string(),
  digest: z.string(),
});
type KnownFinding = z.infer<typeof KnownFinding>;

const BaselineFile = z.object({
  version: z.literal(1),
  findings: z.array(KnownFinding),
});

/** A finding of lint in a file, with its identity. */
export interface IdentifiedInFile {
  readonly file: string;
  readonly code: string;
  readonly rule?: string;
  readonly identity?: string;
}

/** The known findings in a file of `--write-baseline`. */
export class LintBaseline {
  readonly #left: KnownFinding[];

  private constructor(
    private readonly path: string,
    findings: readonly KnownFinding[],
  ) {
    this.#left = [...findings];
  }

  /** @throws UsageError if the file cannot be read or is no baseline */
  static read(path: string): LintBaseline {
    const { text } = readTextFile(path);
    const read = BaselineFile.safeParse(parsedJson(text));
    if (!read.success)
      throw new UsageError(
        `${path} is not a lint baseline; devid rules check FILE --baseline ${path} --write-baseline writes one.`,
      );
    return new LintBaseline(path, read.data.findings);
  }

  /** Whether a finding is known. Each entry stands for one finding. */
  has(finding: IdentifiedInFile): boolean {
    const known = entryOf(finding, this.path);
    const at = this.#left.findIndex(
      ({ file, digest }) => file === known?.file && digest === known.digest,
    );
    if (at < 0) return false;
    this.#left.splice(at, 1);
    return true;
  }

  /** The entries that no finding matched: their findings are gone. */
  get gone(): readonly KnownFinding[] {
    return this.#left;
  }
}

/**
 * Writes the findings of lint as a baseline. Mistakes and secrets have no identity and
 * are never known.
 * @returns how many were written
 * @throws UsageError if the file cannot be written
 */
export function writeBaseline(
  path: string,
  findings: readonly IdentifiedInFile[],
): number {
  const known = findings.flatMap((finding) => entryOf(finding, path) ?? []);
  const content = jsonReport({ findings: known });
  writing(path, () => writeFileSync(path, content));
  return known.length;
}

/** The entry of a finding: its file is named from the folder of the baseline. */
function entryOf(
  { file, code, rule = "", identity }: IdentifiedInFile,
  path: string,
): KnownFinding | undefined {
  if (identity === undefined) return undefined;
  const { createHash } = process.getBuiltinModule("node:crypto");
  const from = relative(dirname(resolve(path)), resolve(file));
  return {
    file: from.split(sep).join("/"),
    code,
    rule,
    digest: createHash("sha256").update(identity).digest("hex"),
  };
}
