import logging
logging.basicConfig(level=logging.INFO)
log = logging.getLogger('sync')
log.warning('connection reset by peer, retrying in 2s (1/3)')
log.error('HTTP 503 from replica b, switched to replica a')
log.info('sync complete: 120 ok, 0 failed')
