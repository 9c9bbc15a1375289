/** The meanings of the settings, by name. English has them in the table of settings itself. */
export const settingMeanings = {
  HOST: 'Adresse sur laquelle le service écoute.',
  PORT: 'Port sur lequel le service écoute.',
  WORKERS: 'Nombre de processus du serveur, sur le même port et la même base de données.',
  DATA_DIR: 'Dossier de la base de données et des fichiers téléversés.',
  DATABASE_URL: 'Adresse de la base de données : `postgres://…` ou `sqlite:CHEMIN`. Vide : SQLite dans `DATA_DIR`.',
  DATABASE_POOL_SIZE: 'Nombre de connexions à PostgreSQL par processus. L’une d’elles sert à écrire.',
  DATABASE_STATEMENT_TIMEOUT_MS: 'Durée maximale d’une instruction PostgreSQL, en millisecondes.',
  DATABASE_WAIT_SECONDS: 'Nombre de secondes pendant lesquelles le service attend PostgreSQL au démarrage.',
  DATABASE_REPLICA_URL:
    'Adresses des répliques en lecture du serveur PostgreSQL de `DATABASE_URL`, séparées par des virgules. Chaque adresse est un serveur.',
  DATABASE_REPLICA_MAX_LAG_MS:
    'Retard qu’une réplique peut avoir sur les écritures des autres clients, en millisecondes. Les clients voient toujours aussitôt leurs propres écritures.',
  MEDIA_URL:
    'Emplacement des images : un dossier, ou `s3://bucket/prefix?region=…&endpoint=…&path_style=1`. Vide : `uploads` dans `DATA_DIR`.',
  PUBLIC_URL:
    'Adresse à laquelle les clients joignent le service, comme `https://events.example.org`. Vide : celle de chaque requête.',
  ALLOWED_HOSTS:
    'Noms d’hôte que les clients peuvent utiliser, séparés par des virgules. `.example.org` comprend tous les sous-domaines; `*` permet n’importe quel nom. Vide : n’importe quel nom si `PUBLIC_URL` est défini; sinon, seulement les noms que personne d’autre ne peut posséder, comme `localhost`, une adresse privée ou un nom sans point.',
  TRUST_PROXY:
    'Serveurs mandataires dont les en-têtes de transfert sont dignes de confiance : `true` pour un seul devant le service, leur nombre, ou leurs réseaux.',
  TRUST_PROXY_HEADERS:
    'En-têtes dignes de confiance si `TRUST_PROXY` est défini : `x-forwarded` (`X-Forwarded-For`, `-Host` et `-Proto`) ou `forwarded` (RFC 7239). Le serveur mandataire doit les définir. Les autres sont ignorés.',
  CONTENT_CODING:
    'Si les réponses aux visiteurs sont comprimées (`zstd`, `br` ou `gzip`) pour les clients qui l’acceptent. Indiquez `false` si un serveur mandataire les comprime. Les scripts et les feuilles de style sont toujours comprimés.',
  CORS_ORIGINS:
    'Origines Web qui peuvent envoyer des identifiants avec des requêtes d’une autre origine (CORS), séparées par des virgules. `*` dans la liste permet toutes les autres origines, sans identifiants. Vide : toutes les origines, sans identifiants.',
  REQUIRE_IF_MATCH:
    'Si la modification ou le retrait d’une fiche exige l’en-tête `If-Match` avec la version que connaît l’auteur. Sans lui, la réponse est 428.',
  REST_PREFIX:
    'Préfixe du chemin de l’API, avant son espace de noms. Indiquez `/wp-json` pour remplacer un calendrier existant, dont les clients ne changent que l’hôte.',
  VENDOR_WORD: 'Premier mot de l’espace de noms de l’API, comme `cal` dans `cal/events/v1`, et des noms de taxonomies.',
  LANGUAGE_PARAMETER: 'Nom du paramètre qui choisit la langue.',
  LANGUAGES:
    'Langues dans lesquelles les fiches peuvent être écrites et demandées, séparées par des virgules : étiquettes BCP 47, au plus 12.',
  DEFAULT_LANGUAGE: 'Langue des fiches créées sans langue.',
  EVENTS_FALLBACK:
    'Autres langues qu’une liste d’événements dans une langue peut comprendre : `none` (aucune), les variantes de la même langue (`language`, comme en pour en-CA) ou `any` (toutes).',
  NAMES_FALLBACK:
    'Autres langues qu’une liste de lieux, d’organisateurs, de catégories ou d’étiquettes dans une langue peut comprendre : `none` (aucune), les variantes de la même langue (`language`, comme en pour en-CA) ou `any` (toutes).',
  DEFAULT_LISTS_ALL_GROUPS:
    'Ce que montrent les listes si la requête ne nomme pas de langue. `true` : chaque fiche une fois, dans une de ses langues. `false` : seulement la langue par défaut.',
  FRENCH_ADDRESS_LANGUAGE:
    'Langue des fiches sous `/fr` si la requête ne nomme pas de langue, comme `fr-CA`. Vide : la même qu’ailleurs, et seuls les messages sont en français.',
  TEXTS_FROM_ACCEPT_LANGUAGE:
    'Si l’en-tête `Accept-Language` choisit la langue des erreurs, de l’index et du document OpenAPI.',
  SHARE_FIELDS: 'Si toutes les traductions d’une fiche partagent ses dates, son lieu, ses images et d’autres champs.',
  SITE_NAME: 'Nom du site.',
  STATUS_IN_TITLES:
    'Où les titres disent qu’un événement est annulé, reporté ou passé en ligne : `v1` (pour les visiteurs), `feeds` (les flux), `pages`. Vide : nulle part.',
  VIRTUAL_KEYS:
    'Événements qui ont `is_virtual`, `virtual_url` et `virtual_video_source` : `used` (ceux en ligne) ou `always` (tous, pour les clients qui les attendent).',
  PAGES: 'Si le calendrier est aussi offert en pages Web : `/events/` et `/fr/events/`.',
  SITE_LOGO: 'Fichier image du logo que les pages montrent avant le nom du site.',
  SITE_THEME:
    'Fichier CSS avec les couleurs et les polices des pages. Il définit `--brand`, `--font-text` et d’autres variables.',
  MAP_TILE_URL:
    'Adresse des tuiles de la page de la carte, comme `https://tiles.example.org/{z}/{x}/{y}.png`. Vide : une carte intégrée qui n’envoie aucune requête ailleurs.',
  MAP_PMTILES:
    'Fichier avec les rues de la page de la carte : une archive PMTiles au schéma du fond de carte Protomaps. Vide : pas de rues.',
  WEEK_START: 'Premier jour de la semaine sur les pages : `sunday` (dimanche) ou `monday` (lundi).',
  SITE_TIMEZONE: 'Fuseau horaire du site : un nom IANA ou un décalage comme UTC-5.',
  PER_PAGE: 'Nombre de fiches par page si la requête n’en donne pas.',
  MAX_PER_PAGE: 'Nombre maximal de fiches par page.',
  CURRENCY_SYMBOL: 'Symbole monétaire des prix qui n’en ont pas.',
  CURRENCY_POSITION: 'Place de `CURRENCY_SYMBOL` : `prefix` (avant le nombre) ou `postfix` (après).',
  CURRENCY_CODE: 'Monnaie du site : un code ISO 4217 comme CAD.',
  JSONP: 'Si les clients peuvent demander du JSONP avec `_jsonp`.',
  ADMIN_USER: 'Nom de l’administrateur créé au premier démarrage.',
  ADMIN_PASSWORD:
    'Mot de passe d’application de l’administrateur créé au premier démarrage, d’au moins 16 lettres et chiffres. Vide : un mot de passe aléatoire, montré une seule fois.',
  BACKUP_KEY:
    'Clé qui chiffre et déchiffre les sauvegardes : une clé age, publique ou secrète, ou une phrase de passe. Vide : les sauvegardes ne sont pas chiffrées.',
  CACHE_MEGABYTES:
    'Mémoire d’un processus pour les réponses gardées et les données qu’elles partagent, en mégaoctets. 0 : pas de cache.',
  AUDIT_RETENTION_DAYS: 'Nombre de jours pendant lesquels les entrées du journal d’audit sont gardées. 0 : toujours.',
  CHANGES_RETENTION_DAYS:
    'Nombre de jours pendant lesquels le fil des changements garde ce qui a été supprimé. Un programme qui le lit moins souvent doit tout relire.',
  DATA_LICENSE:
    'Adresse de la licence sous laquelle d’autres peuvent utiliser les données, comme `https://creativecommons.org/licenses/by/4.0/`. Le fil des changements la nomme. Vide : aucune.',
  LOG_LEVEL: 'Niveau le plus bas qui est journalisé : fatal, error, warn, info, debug, trace ou silent.',
  LOG_FORMAT:
    'Format du journal. `json` : une ligne par entrée. `pretty` : pour les gens. `auto` : `pretty` dans un terminal, sinon `json`.',
  LOG_ADDRESSES:
    'Si le journal comprend les adresses réseau des clients, qui peuvent être des renseignements personnels.',
  METRICS_TOKEN:
    'Jeton (Bearer) qu’il faut à un client pour lire `/metrics`, d’au moins 16 caractères. Si `METRICS_TOKEN` et `METRICS_FROM` sont vides, personne ne peut lire `/metrics`.',
  METRICS_FROM:
    'Réseaux qui peuvent lire `/metrics`, séparés par des virgules. `private` : la boucle locale et les réseaux privés. Si `METRICS_TOKEN` est aussi défini, les deux doivent correspondre.',
  SERVER_TIMING:
    'Si les réponses comprennent l’en-tête `Server-Timing`. Seulement pour le développement, car il révèle le fonctionnement interne du service.',
  SERIES_MONTHS_AHEAD:
    'Nombre de mois à venir pour lesquels sont créées les dates d’une série sans fin. Le service ajoute chaque jour les dates qui entrent dans cette période.',
  SERIES_MOST_DATES: 'Nombre maximal de dates d’une série. Chaque date est un événement.',
  RATE_LIMIT:
    'Nombre de requêtes permises par adresse de client, et par utilisateur, en un nombre de secondes : `3000/60` veut dire 3000 en 60 secondes. 0 : pas de limite.',
  FAILURE_LIMIT:
    'Nombre de mauvais identifiants ou mots de passe d’événements permis par adresse de client en un nombre de secondes. Chaque compte et chaque événement en permet dix fois plus. 0 : pas de limite.',
  RATE_LIMIT_EXEMPT:
    'Réseaux dont les requêtes et les connexions ne sont pas limitées par adresse, parce que bien des clients y partagent une adresse; séparés par des virgules. `private` : la boucle locale et les réseaux privés.',
  CONTRIBUTOR_QUOTA:
    'Mégaoctets que chaque utilisateur qui ne peut pas publier peut occuper avec des fiches que personne n’a publiées, y compris celles de la corbeille. 0\u00a0: aucune limite.',
  MAX_IN_FLIGHT: 'Nombre de requêtes qu’un processus traite ou met en attente à la fois. Les suivantes reçoivent 503.',
  MAX_CONNECTIONS:
    'Nombre de connexions de clients par processus. Lorsque toutes sont prises, celles qui ne servent pas sont fermées. Les suivantes reçoivent 503 ou sont fermées, sauf celles des sondes de santé.',
  MAX_CONNECTIONS_PER_ADDRESS:
    'Nombre de connexions par processus d’une même adresse, ou d’un même réseau /64 en IPv6. Les suivantes sont fermées.',
  READERS:
    'Nombre maximal de fils d’exécution en lecture par processus, avec SQLite. Ils répondent aux lectures qui peuvent être longues, comme les recherches, les flux et les pages. 0 : aucun, et ces lectures retardent toutes les autres. PostgreSQL n’en a pas besoin.',
  READER_TIMEOUT_MS:
    'Nombre de millisecondes qu’un fil d’exécution en lecture peut consacrer à une réponse. Les requêtes plus longues reçoivent 503. Sur une machine très sollicitée, une réponse peut prendre jusqu’à quatre fois ce temps, tant que le processus n’a pas reçu autant de temps de processeur.',
  IDEMPOTENCY_HOURS:
    'Nombre d’heures pendant lesquelles le résultat d’une écriture avec `Idempotency-Key` est retenu. 0 : ces clés sont ignorées.',
  PICTURE_TIMEOUT:
    'Durée maximale du traitement d’une image, en secondes. Une image plus longue à traiter est refusée.',
  SHUTDOWN_TIMEOUT:
    'Nombre de secondes qu’ont les requêtes en cours pour finir à l’arrêt du service. Les plus longues sont interrompues.',
  SHUTDOWN_DELAY:
    'Nombre de secondes pendant lesquelles le service accepte encore des connexions après la demande d’arrêt. Pendant ce temps, `/health/ready` répond 503, pour que les répartiteurs de charge le remarquent.',
  MIN_FREE_DISK:
    'Espace disque libre qu’il faut aux données, en mégaoctets. En dessous, `/health/ready` répond 503. 0 : pas de vérification.',
} as const
