import { stringify } from "yaml";
import type { DeclaredWorkspace } from "../../declare/declare-workspace";
import { ruleFileYaml } from "@devid/rules";
import {
  packageManifest,
  PLUGINS,
  PULUMI_SDK,
  type ProjectNames,
} from "./project";
import { typescriptCode, type TypeScriptTraits } from "./typescript-code";

/**
 * The files of a TypeScript program by path: a file for each kind, rule files, and the
 * common files of every program.
 */
export function typescriptProgram(
  declared: DeclaredWorkspace,
  names: ProjectNames,
  traits: TypeScriptTraits,
): Map<string, string> {
  const { project, description } = names;
  const pulumi = {
    name: project,
    description,
    runtime: "nodejs",
    plugins: PLUGINS,
  };
  const manifest = packageManifest(names, {
    main: "index.ts",
    dependencies: { "@pulumi/pulumi": PULUMI_SDK },
    devDependencies: { "@types/node": "^20.19.0", typescript: "~5.9.3" },
  });
  return new Map([
    ["Pulumi.yaml", stringify(pulumi)],
    ["package.json", manifest],
    ["tsconfig.json", TSCONFIG],
    [".gitignore", "node_modules/\nbin/\n"],
    ...typescriptCode(declared, traits),
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
