import type { PageDefinition } from '@/shared/pages/definition';

export const pages: PageDefinition[] = [];
