import { expect, it } from "vitest";
import { textOf } from "../helpers/repository";
import { FILES } from "../helpers/sources";

/** Names of what is gone, and what a text names instead. */
const GONE: Readonly<Record<string, RegExp>> = {
  "pulumi up with overrides, see docs/cloning.md":
    /devid sync\b|\bsync\.json|differences\.yaml/,
  "devid:adopt, see docs/recovery.md":
    /devid recover\b|recovered\.json|--delete-duplicates/,
  "devid:overrides, see docs/configuration.md":
    /applyStackSettings|@devid\/pulumi\/settings|config (?:set|rm) --path settings/,
  "import.json for pulumi import, see docs/cloning.md":
    /export --plugin|--language yaml|pulumi stack import --file import\.json/,
  "a key for each generation, see docs/rotation.md":
    /type: devid:RotatingApiKey|devid\.RotatingApiKey\(.*=/,
  "the decision that a failing test prints, see docs/rule-files.md":
    /rules test .*--update/,
  "the script that the service serves, see docs/browser-agent.md":
    /@devid\/agent|devid-agent-/,
  "what the pages say, or nothing: it had no successor of its own":
    /devid completion|--suspect-threshold|service-agrees|(?:replaces|retire)Legacy|rules diff .*--events|events search .*--format/,
};

/** Pages, help texts and messages: everything that a user may read. */
const texts = FILES.filter((path) =>
  /^(?:docs|examples|cli|clone|provider|policy|sdk|service|review|rules|warehouse|tools)\/.*\.(?:md|ts|mjs|ya?ml|json|sh)$|^[A-Z]+\.md$/.test(
    path,
  ),
).filter((path) => !path.includes("package-lock"));

it.each(Object.entries(GONE))(
  "no text names what is gone: use %s",
  (_, gone) => {
    const found = texts.flatMap((path) => {
      const lines = textOf(path).split("\n");
      return lines.flatMap((line, index) =>
        gone.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
      );
    });
    expect(texts.length).toBeGreaterThan(100);
    expect(found).toEqual([]);
  },
);
