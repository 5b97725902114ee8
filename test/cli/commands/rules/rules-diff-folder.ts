import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DevidProcess } from "../../devid-process";

/** A rule as a file declares it. */
export const CRAWLERS = {
  name: "crawlers",
  expression: "http.user_agent.is_crawler_bot",
  action: "deny",
};

/** Another rule. */
export const PHONES = {
  name: "phones",
  expression: "sdk.platform.is_ios",
  action: "allow",
};

/** A folder with files to compare, and the command `devid rules diff`. */
export class RulesDiffFolder {
  readonly path = mkdtempSync(join(tmpdir(), "devid-diff-"));

  /** Writes a file with text or JSON, and returns its path. */
  file(name: string, content: unknown): string {
    const path = join(this.path, name);
    const isText = typeof content === "string";
    writeFileSync(path, isText ? content : JSON.stringify(content));
    return path;
  }

  /** Writes rules.json. */
  rules(...rules: unknown[]): string {
    return this.file("rules.json", { rules });
  }

  /** Runs `devid rules diff`. Removes the folder's path from the output. */
  async diff(args: readonly string[], env: Record<string, string> = {}) {
    const ran = await DevidProcess.run(["rules", "diff", ...args], env);
    const short = (text: string) => text.replaceAll(`${this.path}/`, "");
    const { code, stdout, stderr } = ran;
    return { code, stdout: short(stdout), stderr: short(stderr) };
  }

  close(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
