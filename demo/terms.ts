/** A category of the demo, in both languages, with its parent. */
export interface Category {
  readonly key: string
  readonly french: string
  readonly english: string
  readonly above?: string
  /** The hue of its covers in degrees. */
  readonly hue: number
}

/** Parents precede their children. */
export const CATEGORIES: readonly Category[] = [
  { key: 'libraries', french: 'Bibliothèques', english: 'Libraries', hue: 28 },
  { key: 'stories', french: 'Heure du conte', english: 'Story time', above: 'libraries', hue: 42 },
  { key: 'workshops', french: 'Ateliers', english: 'Workshops', above: 'libraries', hue: 12 },
  { key: 'arts', french: 'Arts et spectacles', english: 'Arts and shows', hue: 285 },
  { key: 'theatre', french: 'Théâtre et danse', english: 'Theatre and dance', above: 'arts', hue: 330 },
  { key: 'music', french: 'Musique', english: 'Music', above: 'arts', hue: 258 },
  { key: 'exhibitions', french: 'Expositions', english: 'Exhibitions', above: 'arts', hue: 305 },
  { key: 'outdoors', french: 'Plein air et fêtes', english: 'Outdoors and festivals', hue: 150 },
  { key: 'community', french: 'Vie de quartier', english: 'Community', hue: 190 },
  { key: 'council', french: 'Vie municipale', english: 'City affairs', above: 'community', hue: 205 },
  { key: 'conferences', french: 'Conférences techniques', english: 'Technology conferences', hue: 225 },
]

/** The tags of Laval’s calendar that have a name in English as well. */
export const TAGS: Readonly<Record<string, string>> = {
  Jeunesse: 'Children',
  Adultes: 'Adults',
  Familles: 'Families',
  Adolescents: 'Teenagers',
  Aînés: 'Seniors',
  Découvrir: 'Discover',
  Jouer: 'Play',
  'Jeune public': 'Young audiences',
  Bouger: 'Move',
  'Relâche scolaire': 'Spring break',
  Techno: 'Tech',
  'Arts de la scène': 'Performing arts',
  'Cet hiver dans mon quartier': 'This winter in my neighbourhood',
  Danser: 'Dance along',
  Pâques: 'Easter',
  Histoire: 'History',
}

/** Topics of conferences whose spelling differs from the data. */
export const TOPICS: Readonly<Record<string, string>> = {
  api: 'API',
  cfml: 'CFML',
  cpp: 'C++',
  css: 'CSS',
  devops: 'DevOps',
  ios: 'iOS',
  android: 'Android',
  iot: 'IoT',
  java: 'Java',
  javascript: 'JavaScript',
  opensource: 'open source',
  php: 'PHP',
  python: 'Python',
  rust: 'Rust',
  sre: 'SRE',
  ux: 'UX',
}

/** Returns the category of an activity of Laval: by its title, else by its category in the city’s own calendar. */
export function categoryOf(title: string, categories: readonly string[]): string {
  const byTitle: readonly (readonly [RegExp, string])[] = [
    [/conte|contes|yogistoires|lecture avec/i, 'stories'],
    [/exposition|vernissage|visite commentée/i, 'exhibitions'],
    [/th[ée]âtre|danse|jeune public|scolaire|petits bonheurs|cirque/i, 'theatre'],
    [/jazz|concert|trombone|joue|musi(que|cal)|mélodie/i, 'music'],
    [/conseil|consultation|élu|forum/i, 'council'],
    [/atelier|club|robot|création|fabrication|tricot|semis|pain/i, 'workshops'],
  ]
  const found = byTitle.find(([pattern]) => pattern.test(title))
  if (found) return found[1]
  if (categories.some((name) => /Dehors|Événements|nature/.test(name))) return 'outdoors'
  if (categories.includes('Bibliothèques')) return 'libraries'
  return categories.includes('Expositions et spectacles') ? 'arts' : 'community'
}
