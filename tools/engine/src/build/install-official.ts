import { PulumiCommand } from "@pulumi/pulumi/automation";
import { SemVer } from "semver";

/** Runs Pulumi's own installer; arguments: version, root folder. */
async function installOfficial(version: string, root: string): Promise<void> {
  await PulumiCommand.install({ version: new SemVer(version), root });
}

const [version = "", root = ""] = process.argv.slice(2);
installOfficial(version, root).catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
});
