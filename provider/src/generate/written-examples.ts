import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The example of a resource in the languages that Pulumi itself writes. */
export interface WrittenExample {
  /** What the others were written from: `neutralExample` of the resource. */
  readonly neutral: string;
  readonly go: string;
  readonly csharp: string;
  readonly java: string;
}

/** The examples by their kinds; `npm run gen:examples` writes them. */
export function writtenExamples(): Readonly<Record<string, WrittenExample>> {
  const path = join(__dirname, "../../src/generate/written-examples.json");
  return JSON.parse(readFileSync(path, "utf8")) as Record<
    string,
    WrittenExample
  >;
}
