import type { SentTemplate } from './api/render.ts';

/** The finished templates for starting a new one: the folders of `samples/` in the repository. */

export interface Sample {
  name: string;
  title: string;
  description: string;
  /** The options of the template (`options.json`). */
  options: Readonly<Record<string, unknown>>;
  template: string;
  style: string;
  header: string;
  footer: string;
  data: string;
  /** By the name of the image's variable. */
  images: ReadonlyMap<string, string>;
}

/** Loads the samples, in the order of the gallery. */
export async function loadSamples(): Promise<Sample[]> {
  const { FILES } = await import('./sample-files.ts');
  const folders = new Map<string, Map<string, string>>();
  for (const [path, content] of Object.entries(FILES)) {
    const [file = '', folder = ''] = path.split('/').toReversed();
    const files = folders.get(folder) ?? new Map<string, string>();
    folders.set(folder, files.set(file, content));
  }
  return [...folders].map(([name, files]) => sampleOf(name, files)).toSorted((a, b) => a.order - b.order);
}

export function sentSample(sample: Sample): SentTemplate {
  return {
    file: new File([sample.template], `${sample.name}.html`, { type: 'text/html' }),
    data: {
      name: sample.title,
      format: 'html',
      ...sample.options,
    },
    header: sample.header,
    footer: sample.footer,
    styles: [sample.style],
    images: new Map(
      Array.from(sample.images, ([uri, svg]) => [uri, new Blob([svg], { type: 'image/svg+xml' })]),
    ),
  };
}

interface Description {
  title: string;
  description: string;
  order: number;
}

function sampleOf(name: string, files: ReadonlyMap<string, string>): Sample & { order: number } {
  const description = JSON.parse(files.get('sample.json') ?? '{}') as Description;
  return {
    ...description,
    name,
    options: JSON.parse(files.get('options.json') ?? '{}') as Record<string, unknown>,
    template: files.get('template.html') ?? '',
    style: files.get('style.css') ?? '',
    header: files.get('header.html') ?? '',
    footer: files.get('footer.html') ?? '',
    data: files.get('data.json') ?? '{}',
    images: new Map(
      Array.from(files)
        .filter(([file]) => file.endsWith('.svg'))
        .map(([file, svg]) => [file.slice(0, -4), svg]),
    ),
  };
}
