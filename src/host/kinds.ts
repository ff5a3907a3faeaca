/** What the project is, what can be done with it here, and where else there is something to serve. */

import { join } from "node:path";
import { orElse } from "../errors.ts";
import { launchFor } from "./serve_command.ts";
import { lineIn } from "./shell.ts";
import { projectsBelow } from "./projects_below.ts";
import type { PackageKind } from "../plugin/project.ts";
import { openProject } from "./open_project.ts";
import type { Project } from "../plugin/project.ts";
import type { Detection, ProjectKind } from "../plugin/detection.ts";

/** What can be done with a package that others use. */
const USES: Readonly<Record<PackageKind, string>> = {
  theme: "refrakt_inspect_audit tells which selectors its CSS styles, refrakt_contracts the HTML " +
    "to style; --trust also loads its configuration.",
  plugin: "refrakt_package_validate lints it with --trust, which runs its code.",
  "preset pack": "No tool here reads presets: run npx --package=@refrakt-md/cli refrakt " +
    "theme presets validate --pack .",
  template: "Its pages are checked in a site made from it: declare one in refrakt.config.json.",
  library: "Nothing in it is for refrakt's tools.",
};

export function kindsOf({ plan, site, own }: Project): ProjectKind[] {
  const kinds: ProjectKind[] = [];
  if (site !== null && site.isTheme !== true) {
    kinds.push({
      kind: "site",
      use: "refrakt_check finds mistakes in its pages, refrakt_reference explains its runes.",
    });
  }
  if (plan !== null) {
    kinds.push({ kind: "plan", use: "plan_next names the next item, plan_status how it stands." });
  }
  if (own !== null && (own.kind !== "library" || kinds.length === 0)) {
    const { kind, name } = own;
    kinds.push({ kind, ...(name === undefined ? {} : { name }), use: USES[kind] });
  }
  return kinds;
}

/** Projects in folders below this one, with the command for each. */
export function below({ cwd }: Project): Detection["below"] {
  const places = projectsBelow(cwd).flatMap((path) => {
    const inside = openProject(join(cwd, path));
    // Its configuration may ask for a permission that is not printed.
    const command = orElse(() => lineIn(path, launchFor(inside)), undefined);
    return command === undefined ? [] : { path, command };
  });
  return places.length === 0 ? undefined : places;
}
