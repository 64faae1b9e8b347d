import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from '@/app/i18n';
import { Root } from '@/app/root';
import { prepareClient } from '@/shared/api/client';
import '@/app/base.css';

const place = document.getElementById('root');
if (!place) throw new Error('index.html has no #root');

prepareClient();
await startI18n();
createRoot(place).render(
  <StrictMode>
    <Root />
  </StrictMode>,
);
