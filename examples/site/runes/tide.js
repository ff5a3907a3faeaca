// {% tide high="06:12" low="12:25" /%}: the two times that every page about a harbour needs.
import Markdoc from "@markdoc/markdoc";
import { createContentModelSchema } from "@refrakt-md/runes";

const { Tag } = Markdoc;

export const transform = createContentModelSchema({
  attributes: {
    high: { type: String, required: true, description: "Time of high water" },
    low: { type: String, required: true, description: "Time of low water" },
    coast: { type: String, matches: ["north", "south"], description: "Which coast" },
  },
  contentModel: { type: "sequence", fields: [] },
  transform(_content, { high, low, coast = "north" }) {
    return new Tag("dl", { "data-rune": "tide", "data-coast": coast }, [
      new Tag("dt", {}, ["High water"]),
      new Tag("dd", {}, [high ?? "06:00"]),
      new Tag("dt", {}, ["Low water"]),
      new Tag("dd", {}, [low ?? "12:00"]),
    ]);
  },
});
