import alert from '@/features/alert/locales/zh.json';
import home from '@/features/home/locales/zh.json';
import machine from '@/shared/i18n/locales/zh/machine.json';
import sync from '@/shared/i18n/locales/zh/sync.json';
import frame from '../locales/zh/frame.json';

export const words = { alert, frame, home, machine, sync };
