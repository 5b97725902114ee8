import { execFileSync } from "node:child_process";
import {
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(__dirname, "../..");

/** Workspaces that a program needs, and what their packages are called. */
const PACKAGES = {
  sdk: "@devid/sdk",
  agent: "@devid/agent",
  rules: "@devid/rules",
  provider: "@devid/pulumi",
} as const;

/** One of them. */
export type PackedWorkspace = keyof typeof PACKAGES;

/** Our packages as the registry would hold them: tarballs in a folder of their own. */
export class PackedPackages {
  private constructor(
    private readonly folder: string,
    private readonly files: ReadonlyMap<PackedWorkspace, string>,
  ) {}

  static pack(): PackedPackages {
    const folder = mkdtempSync(join(tmpdir(), "devid-packages-"));
    const workspaces = Object.keys(PACKAGES) as PackedWorkspace[];
    const files = workspaces.map((workspace) => {
      const args = ["pack", "--json", "--ignore-scripts", "-w", workspace];
      const printed = execFileSync(
        "npm",
        [...args, "--pack-destination", folder],
        { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
      );
      const [packed] = JSON.parse(printed) as { filename: string }[];
      if (!packed) throw new Error(`npm packed nothing of ${workspace}.`);
      return [workspace, join(folder, packed.filename)] as const;
    });
    return new PackedPackages(folder, new Map(files));
  }

  /** Path of a tarball. */
  tarball(workspace: PackedWorkspace): string {
    return this.files.get(workspace) ?? "";
  }

  /** Lets `npm install` in a program's folder take our packages from here; all others come from the registry or npm's cache. */
  serve(program: string): void {
    const path = join(program, "package.json");
    const manifest = JSON.parse(readFileSync(path, "utf8")) as {
      dependencies: Record<string, string>;
      overrides?: Record<string, string>;
    };
    manifest.dependencies["@devid/pulumi"] = `file:${this.tarball("provider")}`;
    manifest.overrides = {
      "@devid/sdk": `file:${this.tarball("sdk")}`,
      "@devid/rules": `file:${this.tarball("rules")}`,
    };
    writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
  }

  /** Lets a program have what `npm install` has put beside another one, which takes its time. */
  share(installed: string, program: string): void {
    symlinkSync(join(installed, "node_modules"), join(program, "node_modules"));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
