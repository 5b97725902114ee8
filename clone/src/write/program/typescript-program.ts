import { stringify } from "yaml";
import { version } from "@devid/sdk";
import { ruleFileYaml } from "@devid/rules";
import type { DeclaredWorkspace } from "../../declare/declare-workspace";
import { typescriptCode } from "./typescript-code";

/** The version of the Pulumi SDK that a written program depends on: devid is tested with it. */
const PULUMI_SDK = "3.246.0";

/** Where the installed package has the provider plugin, for `pulumi import`. */
const PLUGIN = "node_modules/@devid/pulumi/bin";

/**
 * The files of a TypeScript program by path: a file for each kind, rule files, and the
 * common files of every program.
 */
export function typescriptProgram(
  declared: DeclaredWorkspace,
  /** `description`: a sentence for `pulumi stack ls` and Pulumi's console. */
  {
    project: name,
    description,
  }: { readonly project: string; readonly description: string },
  moves: boolean,
): Map<string, string> {
  const pulumi = {
    name,
    description,
    runtime: "nodejs",
    plugins: { providers: [{ name: "devid", path: PLUGIN }] },
  };
  const manifest = {
    name,
    version: "0.0.0",
    private: true,
    main: "index.ts",
    dependencies: { "@devid/pulumi": version, "@pulumi/pulumi": PULUMI_SDK },
    devDependencies: { "@types/node": "^20.19.0", typescript: "~5.9.3" },
  };
  return new Map([
    ["Pulumi.yaml", stringify(pulumi)],
    ["package.json", `${JSON.stringify(manifest, undefined, 2)}\n`],
    ["tsconfig.json", TSCONFIG],
    [".gitignore", "node_modules/\nbin/\n"],
    ...typescriptCode(declared, moves),
    ...declared.ruleSets.map(
      ({ path, rules }) => [path, ruleFileYaml(rules)] as const,
    ),
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
