/** Renders new entities from the plugin's template, and checks that they parse as requested. */

import { dirname, join } from "node:path";
import { slugOf } from "../../../src/plain_text.ts";
import { errorsIn, settled, throwJoined } from "../../../src/errors.ts";
import { newPath } from "../../../src/io/write_folder.ts";
import { withInterceptor } from "../../../src/packages/stand_in_call.ts";
import { contentOf, DESCRIPTION, lineEndsOf, read } from "../entity/document.ts";
import {
  checkAttributes,
  checkTitle,
  invalidArguments,
  validationError,
} from "../entity/values.ts";
import type { PlanView } from "../queries/access.ts";
import { askPlugin } from "../queries/plugin_answers.ts";
import type { Plan } from "../store/plan.ts";
import { checkVocabulary } from "../upstream/vocabulary.ts";
import { type Editable, editable, editDocument } from "./edits.ts";
import { declareDependencies, dependencyEdits } from "./edits/dependencies.ts";
import { setSection } from "./edits/sections.ts";
import { hasTexts, type NewEntity, templateEdits } from "./new_entity.ts";

/** The title of an entity that has none yet. */
const TITLE = "Title";

/** A new entity that is not written yet. */
export type Draft = Awaited<ReturnType<typeof rendered>>;

/**
 * The plugin's answer: the next id of a type that no entity has.
 *
 * @param elsewhere The ids that are taken outside the plan's files, with their places.
 */
export async function nextFreeId(
  plan: PlanView,
  type: string,
  elsewhere: ReadonlyMap<string, string>,
): Promise<{ readonly nextId: string }> {
  if (type === "milestone") {
    throw invalidArguments('"id": required for a milestone', "Give its name, such as v1.2.0.");
  }
  const taken = plan.store.numbered(elsewhere);
  return await askPlugin(plan, "next-id", { type }, taken);
}

/**
 * Renders an entity without writing it: the plugin's template with the edits.
 *
 * @throws {RefraktError} `VALIDATION_ERROR` for invalid values.
 */
export async function draftEntity(plan: PlanView, id: string, entity: NewEntity): Promise<Draft> {
  const { type, title = TITLE, attrs: attributes = {} } = entity;
  const errors = errorsIn([
    () => checkTitle(title),
    () => checkAttributes(attributes),
    () => checkVocabulary(type, attributes, plan.plugin.vocabulary),
  ]);
  // Texts are checked even if the head is wrong.
  const head = errors.length > 0 ? { title: TITLE, attrs: {} } : {};
  const draft = await settled(() => rendered(plan, id, { ...entity, ...head }));
  throwJoined([...errors, ...errorsIn([draft])]);
  return draft();
}

async function rendered(plan: PlanView, id: string, entity: NewEntity) {
  const { store, plugin } = plan;
  const { type, title: wantedTitle = TITLE, attrs: attributes = {}, dependsOn = [] } = entity;
  const title = withoutName(checkTitle(wantedTitle), id);
  let template: { path: string; text: string } | undefined;
  await withInterceptor({
    folder: store.folder,
    write: (path, text) => {
      if (path.endsWith(".md")) template = { path, text };
    },
  }, () => {
    const input = { type, title, id, attrs: attributes };
    return askPlugin(plan, "create", input, [...store.last().entities, ...store.reserved()]);
  });
  if (template === undefined) throw new TypeError("plan_create wrote no entity");
  const name = type === "milestone"
    ? join(dirname(template.path), `${id}.md`)
    : namedPath(template.path, id, title);
  const path = newPath(store.folder, name);
  const fit = lineEndsOf(isMostlyCrlf(store.last()) ? "\r\n" : "\n");
  // The heading of a milestone begins with its name.
  const text = title === id
    ? template.text.replace(`# ${id} — ${title}`, () => `# ${title}`)
    : template.text;
  const before = editable(read(fit(text)));
  const { entity: parsed } = before;
  const isAsked = parsed.id === id && parsed.unclosed === undefined &&
    Object.keys(attributes).every((name) => (parsed.attributes[name] ?? "") === attributes[name]);
  if (!isAsked) {
    const hint = "Nothing was written. Use simpler values.";
    throw validationError("The entity would not parse as requested", hint);
  }
  const others = dependsOn.length === 0 ? [] : dependencyEdits(dependsOn.map(store.last().spelled));
  // Where mentions count as dependencies, it says explicitly that it has none.
  if (type === "work" && plugin.sections.directions === undefined) others.push(declareDependencies);
  const filled = editDocument(before, [...templateEdits(entity), ...others]);
  const unused = hasTexts(entity) ? placeholdersIn(filled, before) : [];
  const document = editDocument(filled, unused.map((heading) => setSection(heading, "")));
  // With the plugin's template before the edits.
  return { id, type, path, template: before, document };
}

/** Returns the sections that are still as in the template. */
export function placeholdersIn(document: Editable, template: Editable): string[] {
  const textsIn = (version: Editable) =>
    version.entity.sections.map(({ name, content }) => [name, contentOf(version, content)] as const)
      .filter(([name, text]) => name !== DESCRIPTION || text !== "");
  const before = new Map(textsIn(template));
  return textsIn(document).filter(([name, text]) => before.get(name) === text)
    .map(([name]) => name);
}

/** A title without the id that is written before it anyway. */
function withoutName(title: string, id: string): string {
  const name = `${RegExp.escape(id)}[\\s:\u2013\u2014][\\s:\u2013\u2014-]*`;
  return title.replace(new RegExp(`^(?:${name})+`, "i"), "") || title;
}

/** The most characters of a title in the name of a file. */
const MOST_SLUG = 60;

/**
 * Returns the path of a new entity. The plugin's slugs keep only letters without accents; those of
 * other titles are ours.
 */
function namedPath(path: string, id: string, title: string): string {
  if (!/[^\p{ASCII}]/u.test(title) && !path.endsWith("-.md")) return path;
  return join(dirname(path), `${id}-${slugOf(title, MOST_SLUG) || "untitled"}.md`);
}

/** Whether most files of a plan have CRLF line ends, so that a new one should have them. */
function isMostlyCrlf({ files }: Plan): boolean {
  return files.filter(({ isCrlf }) => isCrlf).length * 2 > files.length;
}
