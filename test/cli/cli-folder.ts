import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LocalWorkspace } from "../helpers/local-workspace";
import { folderForEachTest, folderForTests } from "../helpers/test-folder";
import { DevidProcess, type DevidResult } from "./devid-process";

const denying = (name: string, expression: string) => ({
  ...{ name, expression, action: "deny" },
});

/** Rules as a file declares them. */
export const CRAWLERS = denying("crawlers", "http.user_agent.is_crawler_bot");
export const BROWSERS = denying("browsers", "sdk.platform.is_browser");
export const CURL = denying(
  "curl",
  "http.user_agent.string startsWith 'curl/'",
);
export const PHONES = {
  ...denying("phones", "sdk.platform.is_ios"),
  action: "allow",
};

/** A folder with files, in which a command of `devid` runs, in this process. */
export class CliFolder {
  path = "";

  /**
   * @param command such as `rules check`
   * @param workspace whose keys the command is given
   */
  private constructor(
    private readonly command: string,
    private readonly workspace?: LocalWorkspace,
  ) {}

  /** One folder for all tests of a file. */
  static forTests(command: string, workspace?: LocalWorkspace): CliFolder {
    const made = new CliFolder(command, workspace);
    made.path = folderForTests();
    return made;
  }

  /** A new folder for each test. */
  static forEachTest(command: string, workspace?: LocalWorkspace): CliFolder {
    const made = new CliFolder(command, workspace);
    folderForEachTest((path) => (made.path = path));
    return made;
  }

  /** Writes a file with text, bytes or JSON, and returns its name. */
  file(name: string, content: string | Buffer | object): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    const isText = typeof content === "string" || Buffer.isBuffer(content);
    writeFileSync(path, isText ? content : JSON.stringify(content));
    return name;
  }

  /** Writes rules.json. */
  rules(...rules: readonly object[]): string {
    return this.file("rules.json", { rules });
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), "utf8");
  }

  run(
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<DevidResult> {
    const given = { ...this.workspace?.env, ...env };
    const words = [...this.command.split(" "), ...args];
    return DevidProcess.run(words, given, this.path);
  }
}
