/**
 * Examples in place of those of the packages that lose text or have findings, as of 0.25.1 and 0.29;
 * docs/differences.md lists the defects.
 */

/** An example of ours is used while that of the package has findings, or `always`. */
interface OurExample {
  readonly example: string;
  /** Whether only the whole build shows what is wrong with the package's example. */
  readonly always?: string;
}

export const OUR_EXAMPLES: Readonly<Record<string, OurExample>> = {
  audio: {
    example: `{% audio src="https://example.com/talk.mp3" title="A talk about tides" %}
Recorded at the harbour.

1. Welcome (0:00)
2. Questions (12:30)
{% /audio %}`,
  },
  bond: {
    example: `{% character name="Mara" %}
## Work
A lighthouse keeper.
{% /character %}

{% character name="Tomas" %}
## Work
A pilot of the harbour.
{% /character %}

{% bond from="Mara" to="Tomas" type="friendship" %}
They met in a storm.
{% /bond %}`,
    always: "it names characters that do not exist",
  },
  cast: {
    example: `{% cast %}
- Ada Quill - Editor
- Ben Ortiz - Designer
{% /cast %}`,
  },
  comparison: {
    example: `{% comparison highlighted="Ferry" %}
## Bridge
- **Time** — Ten minutes
- **Toll** — Five coins

## Ferry
- **Time** — One hour
- **Toll** — None
{% /comparison %}`,
  },
  feature: {
    example: `{% feature %}
## Made for writers

- **Plain text**

  Every page is a Markdown file.

- **One theme**

  The site looks the same everywhere.
{% /feature %}`,
  },
  layout: {
    example: `{% layout %}
{% region name="header" %}
Harbour guide
{% /region %}

{% region name="footer" %}
Open from six to ten.
{% /region %}
{% /layout %}`,
  },
  nav: {
    example: `{% nav %}
## First steps
- [Install](https://example.com/install)
- [Write a page](https://example.com/write)

## Reference
- [Runes](https://example.com/runes)
{% /nav %}`,
  },
  region: {
    example: `{% region name="footer" %}
Open from six to ten.
{% /region %}`,
  },
  reveal: {
    example: `{% reveal %}
## Cast off
Untie the ropes.

## Set sail
Turn into the wind.
{% /reveal %}`,
  },
  swatch: {
    example: 'The buoys are {% swatch color="#2563EB" label="harbour blue" /%}.',
  },
};
