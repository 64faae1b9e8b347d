import alert from '@/features/alert/locales/en.json';
import home from '@/features/home/locales/en.json';
import machine from '@/shared/i18n/locales/en/machine.json';
import sync from '@/shared/i18n/locales/en/sync.json';
import frame from '../locales/en/frame.json';

export const words = { alert, frame, home, machine, sync };
