/**
 * Examples that replace those of the packages that lose text or have findings without a correction,
 * as of 0.25.1 and 0.29; docs/differences.md lists the defects.
 */

export const OUR_EXAMPLES: Readonly<Record<string, string>> = {
  audio: `{% audio src="https://example.com/talk.mp3" title="A talk about tides" %}
Recorded at the harbour.

1. Welcome (0:00)
2. Questions (12:30)
{% /audio %}`,
  bond: `{% character name="Mara" %}
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
  cast: `{% cast %}
- Ada Quill - Editor
- Ben Ortiz - Designer
{% /cast %}`,
  comparison: `{% comparison highlighted="Ferry" %}
## Bridge
- **Time** — Ten minutes
- **Toll** — Five coins

## Ferry
- **Time** — One hour
- **Toll** — None
{% /comparison %}`,
  feature: `{% feature %}
## Made for writers

- **Plain text**

  Every page is a Markdown file.

- **One theme**

  The site looks the same everywhere.
{% /feature %}`,
  layout: `{% layout %}
{% region name="header" %}
Harbour guide
{% /region %}

{% region name="footer" %}
Open from six to ten.
{% /region %}
{% /layout %}`,
  nav: `{% nav %}
## First steps
- [Install](https://example.com/install)
- [Write a page](https://example.com/write)

## Reference
- [Runes](https://example.com/runes)
{% /nav %}`,
  preview: `{% preview title="A hint" theme="auto" %}
{% hint type="note" %}
Ferries leave at ten.
{% /hint %}
{% /preview %}`,
  region: `{% region name="footer" %}
Open from six to ten.
{% /region %}`,
  reveal: `{% reveal %}
## Cast off
Untie the ropes.

## Set sail
Turn into the wind.
{% /reveal %}`,
  swatch: 'The buoys are {% swatch color="#2563EB" label="harbour blue" /%}.',
};
