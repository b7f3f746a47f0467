"""Reads Perfetto traces with Perfetto's own message definitions, by the rules of its trace processor, and prints what they show.

perfetto_text.py FILE...          checks each file
perfetto_text.py --text FILE      checks it and prints tracks, slices, counters and arrows
perfetto_text.py --sums FILE      checks it and prints, for each thread, number and nanoseconds of slices by name, and of each slice
"""

import sys
import zlib
from collections import defaultdict

from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TracePacket, TrackEvent

CLEARED = TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
NEEDS = TracePacket.SEQ_NEEDS_INCREMENTAL_STATE


class Broken(Exception):
    pass


def unpacked(trace):
    """The packets of a trace, those that are compressed in its packets in their place."""
    for packet in trace.packet:
        if packet.HasField("compressed_packets"):
            yield from Trace.FromString(zlib.decompress(packet.compressed_packets)).packet
        else:
            yield packet


def demand(condition, message):
    if not condition:
        raise Broken(message)


class Slice:
    def __init__(self, track, depth, start, name, categories, place, args):
        self.track, self.depth, self.start, self.end = track, depth, start, None
        self.name, self.categories, self.place, self.args = name, categories, place, args

    def described(self):
        """Where it is, for arrows."""
        return f"{self.track.name} / {self.name} @{self.start}"


class Track:
    def __init__(self, descriptor, name, parent):
        self.descriptor, self.name, self.parent = descriptor, name, parent
        self.slices, self.open, self.values, self.last = [], [], [], 0
        self.is_counter = descriptor.HasField("counter")


class Interned:
    """What a sequence of packets has numbered."""

    KINDS = ("event_categories", "event_names", "debug_annotation_names", "source_locations",
             "debug_annotation_string_values")

    def __init__(self):
        self.known = {kind: {} for kind in self.KINDS}

    def learn(self, data):
        for kind in self.KINDS:
            for entry in getattr(data, kind):
                demand(entry.iid != 0, f"{kind}: number 0")
                demand(entry.iid not in self.known[kind], f"{kind}: {entry.iid} has two meanings")
                self.known[kind][entry.iid] = entry

    def find(self, kind, iid):
        demand(iid in self.known[kind], f"{kind}: {iid} has no meaning")
        return self.known[kind][iid]


class Reader:
    def __init__(self, trace):
        self.tracks, self.order = {}, []
        self.sequences = {}
        self.flows, self.arrows = {}, []
        packets = [(packet.timestamp, index, packet) for index, packet in enumerate(unpacked(trace))]
        # The trace processor learns tracks and interned data in the order of the file, and sorts the events.
        resolved = [self.read(packet) for _, _, packet in packets]
        events = sorted(
            (time, index, resolved[index])
            for time, index, packet in packets
            if packet.HasField("track_event")
        )
        for time, _, event in events:
            self.play(time, *event)

    def read(self, packet):
        sequence = packet.trusted_packet_sequence_id
        demand(sequence != 0, "packet without sequence")
        flags = packet.sequence_flags
        if flags & CLEARED:
            self.sequences[sequence] = Interned()
        demand(sequence in self.sequences, "sequence begins without clearing its state")
        demand(flags & (CLEARED | NEEDS), "packet that does not say that it needs interned data")
        interned = self.sequences[sequence]
        interned.learn(packet.interned_data)
        if packet.HasField("track_descriptor"):
            self.define(packet.track_descriptor)
        if not packet.HasField("track_event"):
            return None
        event = packet.track_event
        name = interned.find("event_names", event.name_iid).name if event.name_iid else None
        categories = [interned.find("event_categories", iid).name for iid in event.category_iids]
        place = None
        if event.source_location_iid:
            location = interned.find("source_locations", event.source_location_iid)
            place = f"{location.file_name}:{location.line_number}"
        args = {}
        for annotation in event.debug_annotations:
            key, value = self.argument(interned, annotation)
            demand(key not in args, f"argument {key} twice")
            args[key] = value
        return (Hidden(event), name, categories, place, args)

    def argument(self, interned, annotation):
        key = interned.find("debug_annotation_names", annotation.name_iid).name
        if annotation.dict_entries:
            return key, dict(self.argument(interned, entry) for entry in annotation.dict_entries)
        kind = annotation.WhichOneof("value")
        demand(kind is not None, f"argument {key} without value")
        value = getattr(annotation, kind)
        if kind == "string_value_iid":
            value = interned.find("debug_annotation_string_values", value).str.decode()
        if kind == "pointer_value":
            value = hex(value)
        return key, value

    def define(self, descriptor):
        demand(descriptor.uuid not in self.tracks, f"track {descriptor.uuid} twice")
        demand(descriptor.uuid != 0, "track 0")
        parent = None
        if descriptor.HasField("process"):
            demand(descriptor.process.pid != 0, "process 0")
            name = f"process {descriptor.process.process_name}"
        elif descriptor.HasField("thread"):
            demand(descriptor.thread.pid != 0 and descriptor.thread.tid != 0, "thread 0")
            name = descriptor.thread.thread_name
        else:
            demand(descriptor.parent_uuid in self.tracks, "track without parent")
            parent = self.tracks[descriptor.parent_uuid]
            name = descriptor.name
            twins = [t for t in self.order if t.parent is parent and t.name == name]
            demand(not twins, f"tracks that the trace processor would merge: {name}")
        track = Track(descriptor, name, parent)
        self.tracks[descriptor.uuid] = track
        self.order.append(track)

    def play(self, time, hidden, name, categories, place, args):
        event = hidden.event
        demand(event.track_uuid in self.tracks, f"event on unknown track {event.track_uuid}")
        track = self.tracks[event.track_uuid]
        demand(time >= track.last, "time goes back")
        track.last = time
        if event.type == TrackEvent.TYPE_COUNTER:
            demand(track.is_counter, "counter value on a track of slices")
            track.values.append((time, event.counter_value))
            return
        demand(not track.is_counter, "slice on a counter's track")
        if event.type == TrackEvent.TYPE_SLICE_END:
            demand(track.open, f"{track.name}: end of nothing at {time}")
            piece = track.open.pop()
            piece.end = time
            piece.args.update(args)
        else:
            demand(name, "slice without name")
            piece = Slice(track, len(track.open), time, name, categories, place, args)
            track.slices.append(piece)
            if event.type == TrackEvent.TYPE_INSTANT:
                piece.end = time
            else:
                demand(event.type == TrackEvent.TYPE_SLICE_BEGIN, f"type {event.type}")
                track.open.append(piece)
        for flow in event.flow_ids:
            self.step(flow, piece)
            self.flows[flow] = piece
        for flow in event.terminating_flow_ids:
            demand(flow in self.flows, f"arrow {flow} ends without beginning")
            self.step(flow, piece)
            del self.flows[flow]

    def step(self, flow, piece):
        before = self.flows.get(flow)
        if before is not None:
            self.arrows.append((before, piece))

    def finish(self):
        for track in self.order:
            demand(not track.open, f"{track.name}: {len(track.open)} slices without end")

    def text(self):
        for track in self.order:
            below = f" (of {track.parent.name})" if track.parent else ""
            print(f"{track.name}{below}")
            for piece in track.slices:
                place = f" {piece.place}" if piece.place else ""
                args = "".join(f" {key}={value}" for key, value in piece.args.items())
                indent = "  " * (piece.depth + 1)
                print(f"{indent}{piece.start}..{piece.end} {piece.name} [{','.join(piece.categories)}]{place}{args}")
            for time, value in track.values:
                print(f"  {time}: {value}")
        print("arrows")
        for before, after in self.arrows:
            print(f"  {before.described()} -> {after.described()}")

    def sums(self):
        for track in self.order:
            if not track.descriptor.HasField("thread"):
                continue
            times = defaultdict(list)
            for piece in track.slices:
                times[piece.name].append(piece.end - piece.start)
            for name, of in sorted(times.items()):
                print(track.name, name, len(of), sum(of), *of, sep="\t")


class Hidden:
    """A message that takes no part in sorting."""

    def __init__(self, event):
        self.event = event


def read(path):
    with open(path, "rb") as file:
        trace = Trace.FromString(file.read())
    size = trace.ByteSize()
    trace.DiscardUnknownFields()
    demand(trace.ByteSize() == size, "fields that Perfetto does not know")
    reader = Reader(trace)
    reader.finish()
    return reader


def main(arguments):
    show = {"--text": Reader.text, "--sums": Reader.sums}.get(arguments[0], lambda reader: None)
    status = 0
    for path in (argument for argument in arguments if not argument.startswith("--")):
        try:
            show(read(path))
        except Broken as broken:
            print(f"{path}: {broken}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
