/** Line drawings of 24 units, in the colour of the text around them. */

const PATHS = {
  template: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  library: 'M4 4h4v16H4zM10 4h4v16h-4zM16 5l3-1 4 15-3 1z',
  font: 'M4 20l7-16h2l7 16M7 14h10M2 20h5M17 20h5',
  key: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8M11 12l9-8M16 8l3 3',
  report: 'M6 3h9l4 4v14H6zM9 12l2 2 4-4M9 18h6',
  batch: 'M8 3h8l4 4v10H8zM4 7v14h12M16 3v4h4',
  jobs: 'M4 6h16M4 12h10M4 18h7M17 13v5l3 2',
  tools: 'M14 6a4 4 0 0 1 5 5l2 2-3 3-2-2a4 4 0 0 1-5-5zM11 11l-7 7 2 2 7-7',
  usage: 'M4 20h16M6 17v-5M11 17V5M16 17V9',
  settings:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M9 9.5a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1-1.5 2.2M12 17v.5',
  plus: 'M12 5v14M5 12h14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l5 5',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M11 5l-7 7 7 7M4 12h16',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  upload: 'M12 16V4M7 8l5-5 5 5M5 20h14',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  right: 'M9 6l6 6-6 6',
  copy: 'M9 9h11v12H9zM5 15H4V3h11v2',
  check: 'M5 12l5 5 9-10',
  warning: 'M12 4L2 20h20zM12 10v5M12 17v1',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h1',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1 1M18 18l1 1M19 5l-1 1M6 18l-1 1',
  moon: 'M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z',
  zoomIn: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l5 5M11 8v6M8 11h6',
  zoomOut: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14M16 16l5 5M8 11h6',
  refresh: 'M20 5v5h-5M20 10a8 8 0 1 0 1 5',
  leave: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h10',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  link: 'M10 14a4 4 0 0 0 6 0l4-4a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-4 4a4 4 0 0 0 6 6l1-1',
  grip: 'M9 5v1M9 12v1M9 19v1M15 5v1M15 12v1M15 19v1',
  field: 'M8 4c-3 0-2 7-5 8 3 1 2 8 5 8M16 4c3 0 2 7 5 8-3 1-2 8-5 8',
  play: 'M7 4l13 8-13 8z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
