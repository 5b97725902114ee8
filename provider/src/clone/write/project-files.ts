import { version } from "@devid/sdk";
import { stringify } from "yaml";

/** The Pulumi SDK that a written program asks for: the one that devid is tested with. */
export const PULUMI_SDK = "3.246.0";

/** What makes a folder of TypeScript a Pulumi project, by path. */
export function projectFiles(
  project: string,
  description: string,
): Map<string, string> {
  const manifest = {
    name: project,
    version: "0.0.0",
    private: true,
    main: "index.ts",
    dependencies: { "@devid/pulumi": version, "@pulumi/pulumi": PULUMI_SDK },
    devDependencies: { "@types/node": "^20.19.0", typescript: "~5.9.3" },
  };
  return new Map([
    [
      "Pulumi.yaml",
      stringify({ name: project, description, runtime: "nodejs" }),
    ],
    ["package.json", `${JSON.stringify(manifest, undefined, 2)}\n`],
    ["tsconfig.json", TSCONFIG],
    [".gitignore", "node_modules/\nbin/\n"],
    ["settings.ts", SETTINGS],
  ]);
}

const TSCONFIG = `{
  "compilerOptions": {
    "target": "ES2022",
    "module": "node16",
    "moduleResolution": "node16",
    "strict": true,
    "skipLibCheck": true,
    "outDir": "bin"
  },
  "files": ["index.ts"]
}
`;

const SETTINGS = `import * as devid from "@devid/pulumi";

/** Arguments that differ in a stack: \`settings\` in its config, see README.md. */
export const settings = devid.applyStackSettings();
`;
